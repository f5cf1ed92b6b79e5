package guard

import (
	"slices"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// someone asks for a change, and is meant by the values or not.
type someone struct {
	requester request.Requester
	meant     bool
}

// people are those whom the patterns of a file mean from end to end, and near misses: names with more before or behind what is meant.
type people struct{ meant, near []request.Requester }

// userPatterns are the people of files with patterns user1, user2 and so on, of which the first and the last are asked.
func userPatterns(last string) people {
	return people{
		meant: []request.Requester{user("user1"), user("user" + last)},
		near:  []request.Requester{user("xuser1"), user("user" + last + "x"), user("user0")},
	}
}

var (
	onlyUser1 = people{meant: []request.Requester{user("user1")}, near: []request.Requester{user("xuser1"), user("user1x")}}

	user1AndDevs = people{
		meant: []request.Requester{user("user1"), user("dev", "devs")},
		near:  []request.Requester{user("xuser1"), user("user1x"), user("dev", "xdevs"), user("dev", "devsx")},
	}
)

var peopleOf = map[string]people{
	"all-lists.yaml": {
		meant: []request.Requester{account("team-a", "sa1"), account("team-a", "sa2"), user("user1"), user("user2"), user("dev", "devs"), user("dev", "ops")},
		near: []request.Requester{
			account("team-a", "sa1.evil"), account("xteam-a", "sa1"), account("team-a", "xsa2"), user("xuser1"), user("user2x"), user("dev", "xdevs"), user("dev", "opsx"),
		},
	},
	"alternations.yaml": {
		meant: []request.Requester{account("tea", "sa1"), account("b", "sa1"), user("user1"), user("adm"), user("dev", "devs"), user("dev", "ops")},
		near: []request.Requester{
			account("team", "evil"), account("tea", "sa1.evil"), account("bb", "sa1"), user("user1x"), user("xadm"), user("dev", "devsx"), user("dev", "xops"),
		},
	},
	"backslash.yaml":         {meant: []request.Requester{user("ops.adm")}, near: []request.Requester{user("opsXadm"), user("xops.adm"), user("ops.admx")}},
	"backslash-doubled.yaml": {meant: []request.Requester{user("ops.adm")}, near: []request.Requester{user("opsXadm"), user("xops.adm"), user("ops.admx")}},
	// The API server reads a backspace there, so that the pattern means nobody.
	"backslash-escape.yaml": {near: []request.Requester{user("user1"), user("xuser1"), user("user1 x")}},
	"double-quote.yaml":     {meant: []request.Requester{user(`dev"`)}, near: []request.Requester{user("dev"), user(`xdev"`), user(`dev"x`)}},
	// It is no regular expression, and means nobody.
	"double-quote-closing.yaml": {near: []request.Requester{user("x"), user(`x") && !("x" == "x`)}},
	"groups.yaml":               {meant: []request.Requester{user("dev", "devs")}, near: []request.Requester{user("dev", "non-devs-guests"), user("dev", "xdevs"), user("devs")}},
	"mutate.yaml":               user1AndDevs,
	"mutate-removal.yaml":       user1AndDevs,
	"mutate-service-accounts.yaml": {
		meant: []request.Requester{account("team-a", "sa1")}, near: []request.Requester{account("team-a", "sa1x"), account("xteam-a", "sa1")},
	},
	// Everyone is in the group.
	"pattern-everyone.yaml":      {meant: []request.Requester{user("dev"), user("xuser1"), account("team-a", "default"), account("team-a", "defaultx")}},
	"pattern-invalid-regex.yaml": {meant: []request.Requester{user("user1")}, near: []request.Requester{user("dev["), user("user1x"), user("xuser1")}},
	"pattern-null.yaml":          onlyUser1,
	"patterns-30.yaml":           userPatterns("30"),
	"patterns-60.yaml":           userPatterns("60"),
	"patterns-61.yaml":           userPatterns("61"),
	"patterns-62.yaml":           userPatterns("62"),
	"patterns-63.yaml":           userPatterns("63"),
	"service-accounts.yaml": {
		meant: []request.Requester{account("team-b", "deployer"), account("team-b", "ci-x"), account("team-a", "sa1"), account("team-c", "sa1")},
		near: []request.Requester{
			account("team-b", "deployerx"), account("team-b", "xci-x"), account("team-a", "sa1.evil"), account("team-c", "xsa1"), account("xteam-c", "sa1"), account("team-ax", "sa1"),
		},
	},
	"single-quote.yaml":         {meant: []request.Requester{user("o'brien")}, near: []request.Requester{user("xo'brien"), user("o'brienx")}},
	"single-quote-doubled.yaml": {meant: []request.Requester{user("o'brien")}, near: []request.Requester{user("o''brien"), user("xo'brien"), user("o'brienx")}},
	"users.yaml": {
		meant: []request.Requester{user("admin-x"), user("user1"), user("opsXadm")},
		near:  []request.Requester{user("xadmin-x"), user("xuser1y"), user("opsadm"), user("opsXadmx")},
	},
}

// requestersOf are an ordinary user, the downscaler's own accounts (own and its webhook's, which counts where it is deployed), names that almost are theirs,
// and the file's people.
func requestersOf(file string, accounts [2]string) []someone {
	p := peopleOf[file]
	own, webhook := user(accounts[0]), user(accounts[1])
	all := []someone{{own, true}, {webhook, file == "webhook.yaml"}, {user(accounts[0] + "x"), false}, {user("dev"), false}}
	if file == "pattern-everyone.yaml" {
		all = []someone{{own, true}, {webhook, true}}
	}
	for _, who := range p.meant {
		all = append(all, someone{who, true})
	}
	for _, who := range p.near {
		all = append(all, someone{who, false})
	}
	if slices.ContainsFunc(p.meant, func(r request.Requester) bool { return strings.HasPrefix(r.Username, accounts[0]) }) {
		panic("the downscaler's own account is among the file's people") // it would be asked twice
	}
	return all
}
