package differential

import "fmt"

// predicates are boolean expressions about one string, by the CEL library they try. %[1]s is the string, %[2]s a
// sample value and %[3]d a small number. Some fail on strings that aren't of their form.
var predicates = map[string][]string{
	"cel strings": {
		"%[1]s.lowerAscii().startsWith('t')", "%[1]s.split('-').size() > 1", "%[1]s.replace('a', 'b') == %[1]s", "%[1]s.trim() == %[1]s",
		"%[1]s.indexOf('e') < 0", "%[1]s.substring(1).endsWith('e')", "%[1]s.charAt(0) == 't'", "%[1]s.upperAscii().contains('A')",
		"'%%s-%%d'.format([%[1]s, %[3]d]).size() > 6", "strings.quote(%[1]s).size() < 12", "%[1]s.lastIndexOf('a') == %[1]s.indexOf('a')",
		"[string(%[1]s), 'x'].join('-') != 'true-x'", "%[1]s < %[2]s", "%[1]s == %[2]s", "size(%[1]s) > %[3]d", "bytes(%[1]s).size() == size(%[1]s)",
	},
	"cel regex": {
		"%[1]s.matches('^[a-z]+$')", "%[1]s.matches('user1')", "%[1]s.matches('^system:serviceaccount:.*:downscaler$')", "%[1]s.find('[0-9]+') == ''",
		"%[1]s.findAll('[a-z]', 2).size() < 2", "%[1]s.findAll('[0-9]').exists(d, d == '8')", "%[1]s.matches(%[2]s)", "%[1]s.find('a|b') != ''",
	},
	"cel lists": {
		"%[1]s.split(',').isSorted()", "%[1]s.split(',').indexOf('b') >= 0", "[%[3]d, 2, 5].sum() > 10", "[size(%[1]s), 4].min() < 4",
		"%[1]s.split(',').max() == 'c'", "%[1]s.split(',').distinct().size() == 3", "%[1]s.split(',').lastIndexOf('a') > 0", "%[1]s.split(',').slice(0, 1) == ['a']",
		"%[1]s.split(',').sort()[0] == 'a'", "[[string(%[1]s)], ['x']].flatten().size() == %[3]d", "lists.range(%[3]d).exists(i, i == size(%[1]s))",
		"%[1]s.split(',').sortBy(e, size(e))[0] == 'a'", "%[1]s.split(',').reverse()[0] == 'c'", "%[1]s.split(',').first().orValue('') == 'a'",
	},
	"cel sets": {
		"sets.contains(request.userInfo.groups, [%[1]s])", "sets.intersects(%[1]s.split(','), ['a', 'true', 'dev'])", "sets.equivalent(%[1]s.split(','), ['a', 'b', 'c'])",
		"sets.contains(['devs', 'ops', 'system:authenticated'], request.userInfo.groups) && size(%[1]s) > 0",
	},
	"cel quantity": {
		"isQuantity(%[1]s)", "isQuantity(%[1]s) && quantity(%[1]s).isLessThan(quantity('1Gi'))", "isQuantity(%[1]s) && quantity(%[1]s).sub(quantity('1')).isInteger()",
		"isQuantity(%[1]s) && quantity(%[1]s).add(%[3]d).isInteger()", "quantity(%[1]s).isGreaterThan(quantity('5'))", "quantity(%[1]s).asInteger() > 5",
		"isQuantity(%[1]s) && quantity(%[1]s).compareTo(quantity('1')) != 0", "isQuantity(%[1]s) && quantity(%[1]s).asApproximateFloat() > 1.0",
	},
	"cel urls": {
		"isURL(%[1]s)", "isURL(%[1]s) && url(%[1]s).getHost() == 'example.com:8443'", "isURL(%[1]s) && url(%[1]s).getHostname() == ''", "url(%[1]s).getScheme() == 'https'",
		"isURL(%[1]s) && url(%[1]s).getQuery().exists(k, k == 'c')", "isURL(%[1]s) && url(%[1]s).getEscapedPath() != '/a/b'", "isURL(%[1]s) && url(%[1]s).getPort() == '8443'",
	},
	"cel ip": {
		"isIP(%[1]s)", "isIP(%[1]s) && ip(%[1]s).family() == 4", "isIP(%[1]s) && ip(%[1]s).isLoopback()", "ip(%[1]s).isUnspecified()", "ip.isCanonical(%[1]s)",
		"isIP(%[1]s) && ip(%[1]s).isGlobalUnicast() && string(ip(%[1]s)) == '10.1.2.3'",
	},
	"cel cidr": {
		"isCIDR(%[1]s)", "isCIDR(%[1]s) && cidr(%[1]s).containsIP('10.1.2.3')", "cidr(%[1]s).prefixLength() == 16", "isCIDR(%[1]s) && cidr('10.0.0.0/8').containsCIDR(cidr(%[1]s))",
		"isIP(%[1]s) && cidr('10.0.0.0/8').containsIP(ip(%[1]s))", "isCIDR(%[1]s) && cidr(%[1]s).masked() == cidr(%[1]s) && cidr(%[1]s).ip().family() == 6",
	},
	"cel format": {
		"!format.dns1123Label().validate(%[1]s).hasValue()", "format.named('dns1123Subdomain').hasValue() && !format.named('dns1123Subdomain').value().validate(%[1]s).hasValue()",
		"format.qualifiedName().validate(%[1]s).orValue(['']).join('; ').size() < 5", "!format.date().validate(%[1]s).hasValue()", "format.named(%[1]s).hasValue()",
		"!format.uri().validate(%[1]s).hasValue()", "!format.byte().validate(%[1]s).hasValue()", "!format.labelValue().validate(%[1]s).hasValue()",
	},
	"cel semver": {
		"isSemver(%[1]s)", "isSemver(%[1]s) && semver(%[1]s).major() > 1", "isSemver(%[1]s, true)", "isSemver(%[1]s, true) && semver(%[1]s, true).isLessThan(semver('2.0.0'))",
		"semver(%[1]s).patch() == 3", "isSemver(%[1]s) && semver(%[1]s).compareTo(semver('1.2.3')) == 0",
	},
	"cel optional types": {
		"optional.of(%[1]s).optMap(s, s + 'x').orValue('') == 'truex'", "optional.ofNonZeroValue(%[1]s).hasValue()", "[?optional.ofNonZeroValue(%[1]s)].size() == 0",
		"{?'k': optional.ofNonZeroValue(%[1]s)}.size() == 1", "optional.ofNonZeroValue(%[1]s).or(optional.of('none')).value() == 'none'",
		"optional.ofNonZeroValue(%[1]s).optFlatMap(s, optional.ofNonZeroValue(s.trim())).value() != 'true'", "{'a': %[1]s}[?'b'].hasValue()", "has({'a': {'b': %[1]s}}.a.b) && {'a': 'x'}.?c == optional.none()",
	},
	"cel two variables": {
		"%[1]s.split(',').exists(i, v, i > 0 && v == 'b')", "%[1]s.split(',').all(i, v, v.size() < 5)", "{'a': %[1]s}.transformMap(k, v, k + v)['a'] == 'atrue'",
		"{'a': %[1]s}.transformList(k, v, v == 'true', k).size() == 1", "%[1]s.split(',').existsOne(i, v, v == 'a')", "%[1]s.split(',').transformMapEntry(i, v, {string(i): v}).size() > 1",
	},
	"cel time": {
		"duration(%[1]s) < duration('2h')", "timestamp(%[1]s).getFullYear() == 2026", "timestamp(%[1]s) > timestamp('2026-01-01T00:00:00Z')", "timestamp(%[1]s).getHours('Europe/Berlin') == 4",
	},
	"cel numbers": {
		"int(%[1]s) > 3", "double(%[1]s) < 2", "size(%[1]s) > 4.5", "size(%[1]s) %% 2 == 0", "%[3]d / (size(%[1]s) - 4) > 0", "bool(%[1]s)", "uint(%[1]s) == 8u", "type(%[1]s) == string && dyn(%[3]d) == 3.0",
	},
	"cel authorizer": {
		"authorizer.group('apps').resource('deployments').namespace(%[1]s).check('exempt').allowed()", "authorizer.path('/exempt').check('get').allowed() && size(%[1]s) < 20",
		"authorizer.requestResource.check('exempt').allowed() || %[1]s == ''", "authorizer.serviceAccount('kube-system', 'downscaler').group('').resource('pods').check('exempt').allowed() && size(%[1]s) > %[3]d",
		"authorizer.group('apps').resource('deployments').subresource('status').name(%[1]s).check('update').reason() == ''",
		"authorizer.group('').resource('pods').labelSelector('a=b').fieldSelector('spec.nodeName=x').check(%[1]s).errored()",
	},
}

// predicate returns a boolean expression about a string.
func (g *generator) predicate(s scope) condition {
	library := evenly(g, "library", libraries)
	text, source := g.text(s)
	expression := fmt.Sprintf(evenly(g, library, predicates[library]), text, quote(g.value()), g.IntN(9))
	return condition{expression: expression, features: []string{library, source}}
}

// about returns a boolean expression about the whole of the annotations.
func (g *generator) aboutAnnotations(s scope) condition {
	key := quote(g.key())
	templates := []string{
		"!has(%[1]s.metadata.annotations) || !(%[2]s in %[1]s.metadata.annotations)",
		"%[1]s.metadata.?annotations.orValue({}).all(k, !k.startsWith('downscaler/'))",
		"%[1]s.metadata.?annotations.orValue({}).exists(k, v, k == %[2]s && v != 'true')",
		"%[1]s.metadata.annotations.exists_one(k, k.startsWith('downscaler/'))",
		"%[1]s.metadata.?annotations[?%[2]s] == optional.none()",
		"!has(%[1]s.metadata.annotations) || %[1]s.metadata.annotations.all(k, !k.startsWith('downscaler/') || (oldObject != null && has(oldObject.metadata.annotations) && k in oldObject.metadata.annotations && oldObject.metadata.annotations[k] == %[1]s.metadata.annotations[k]))",
		"size(%[1]s.metadata.?annotations.orValue({})) < 2",
	}
	return condition{expression: fmt.Sprintf(pick1(g, templates), s.object, key), features: []string{"annotations"}}
}

// condition returns a boolean expression of up to three parts.
func (g *generator) condition(s scope) condition {
	c := g.aboutAnnotations(s)
	if !g.chance(4) {
		c = g.predicate(s)
	}
	for g.chance(4) {
		other := g.predicate(s)
		c.expression = fmt.Sprintf(pick1(g, []string{"(%s) && (%s)", "(%s) || (%s)", "(%s) ? (%s) : true", "(%s) != (%s)"}), c.expression, other.expression)
		c.features = append(c.features, other.features...)
	}
	if g.chance(3) {
		c.expression = "!(" + c.expression + ")"
	}
	return c
}
