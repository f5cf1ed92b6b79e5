// Package formats checks the reports for other programs against what those programs have: the schema of SARIF 2.1.0, what code scanning asks
// beyond it, a reader of JUnit's XML, and the definitions of OpenReports, on an API server, too. It is a module of its own, so that
// these stay out of the plugin's dependencies; nothing of them is copied here.
package formats
