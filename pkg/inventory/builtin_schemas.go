package inventory

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// builtinSchemasJSON are the OpenAPI schemas of the built-in kinds of the API server of builtin.json, by their names and without
// descriptions. TestRecordSchemas records them from a running one.
//
//go:embed builtin_schemas.json.gz
var builtinSchemasJSON []byte

var builtinSchemas = sync.OnceValue(func() schemas {
	found, err := readSchemas(builtinSchemasJSON)
	if err != nil {
		panic(fmt.Sprintf("builtin_schemas.json.gz, which is part of this program, can't be read: %v", err))
	}
	return found
})

func readSchemas(compressed []byte) (schemas, error) {
	reader, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return nil, err
	}
	var found map[string]*spec.Schema
	err = json.NewDecoder(reader).Decode(&found)
	return found, err
}
