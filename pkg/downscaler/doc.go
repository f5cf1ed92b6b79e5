// Package downscaler is what this project knows about GoKubeDownscaler itself: the annotations it
// reads, the values they take, the kinds it scales, and what it does with a value it can't use.
//
// Every rule follows the downscaler's source as of chart 1.3.4 and names the file it was read from;
// where its documentation says something else, the source wins. The package reads no cluster and
// keeps no state.
package downscaler
