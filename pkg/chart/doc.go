// Package chart knows the guard of GoKubeDownscaler's Helm chart: which admission policies an annotationsCompliance section of its
// values stands for, which mistakes make something else of it than was meant, and how a guard looks that holds.
//
// What the plain policies decide, and what they are called, are the chart's (1.3.2 to 1.3.4), so that a finding about them is one about
// what will be in the cluster; their expressions and messages are this package's own.
package chart
