// Package differential looks for requests about which the plugin and the API server disagree.
//
// It makes random groups of policies, bindings, parameters, objects and requests, puts every request both to
// the plugin's library and, by dry run in the requester's name, to a real API server, and compares the
// answers. Everything follows from a seed, so that a run can be repeated. A disagreement is made as small
// as it gets and kept in testdata/regressions, from where a test replays it.
//
// What a run has covered is told from the API server's answers alone, see Coverage.
package differential
