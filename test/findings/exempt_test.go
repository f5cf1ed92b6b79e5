package findings

var exemptSituations = []situation{{
	rule: "default-service-account-exempt", subject: "guard spec.matchConditions[0].expression", world: anyoneMayWrite,
	leak: "Adding an annotation as the account `default` of the namespace `ci`", mend: "an account of its own for the downscaler",
	open:   guard{exempt: "request.userInfo.username == 'system:serviceaccount:ci:default'"}.String(),
	closed: guard{exempt: "request.userInfo.username == 'system:serviceaccount:ci:downscaler'"}.String(),
	ask:    as("as-serviceaccount", "ci:default"),
}}
