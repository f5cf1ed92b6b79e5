//go:build race

package inventory

// The race detector makes parsing 50 MB a matter of minutes.
const largeFile = 5 << 20
