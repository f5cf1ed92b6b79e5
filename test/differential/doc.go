// Package differential looks for requests about which the plugin and the API server disagree.
//
// It makes random groups of policies, bindings, parameters, objects and requests, puts every request both to
// the plugin's library and, by dry run in the requester's name, to a real API server, and compares the
// answers. Everything follows from a seed, so that a run can be repeated. A disagreement is made as small
// as it gets and kept in testdata/regressions, from where a test replays it.
//
// Each group has a theme. The themes come as often as their weights say, and within a theme what is to be covered is
// picked in turn, so that a run of 2,000 cases shows everything that expected lists. What it has covered is told from
// the API server's answers alone, see Coverage.
//
//	make differential N=2000                                     a seed from the clock
//	go test ./test/differential -cases 2000 -seed SEED -v        the same again
//	go test ./test/differential -seed SEED -group 12 -v          one group, with its manifests
//	go test ./test/differential -seed SEED -cases 2000 -keep     disagreements into testdata/regressions
package differential
