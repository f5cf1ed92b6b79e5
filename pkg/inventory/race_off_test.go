//go:build !race

package inventory

const largeFile = 50 << 20
