package inventory

import (
	"errors"
	"regexp"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/client-go/kubernetes/scheme"
)

// strictDecoder is the API server's where kubectl asks for strict validation, as it does unless told otherwise.
var strictDecoder = json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme.Scheme, scheme.Scheme, json.SerializerOptions{Strict: true})

// checkFields refuses the first field that a built-in kind doesn't have. Whatever else is wrong is left to others.
func (p parsedItem) checkFields() error {
	_, _, err := strictDecoder.Decode(p.json, &p.kind, nil)
	strict, isStrict := runtime.AsStrictDecodingError(err)
	if !isStrict || len(strict.Errors()) == 0 {
		return nil
	}
	first := strict.Errors()[0].Error()
	found := unknownField.FindStringSubmatch(first)
	if found == nil {
		return inputErrorf(p.raw.Position, "%s", first)
	}
	position := p.raw.Position
	if line := p.raw.lineOf(parsePath(found[1])); line > 0 {
		position.Line = line
	}
	err = errors.New("there is no such field, and the API server would not take it; correct its name, or leave it out")
	return &InputError{Position: position, Field: found[1], Err: err}
}

var unknownField = regexp.MustCompile(`^unknown field "(.*)"$`)

// parsePath reads the path of a field as decoders write it, such as "spec.validations[0].mesage".
func parsePath(text string) fieldPath {
	var path fieldPath
	for _, step := range strings.Split(text, ".") {
		key, indexes, _ := strings.Cut(step, "[")
		path = append(path, key)
		for index := range strings.SplitSeq(indexes, "[") {
			if i, err := strconv.Atoi(strings.TrimSuffix(index, "]")); err == nil {
				path = append(path, i)
			}
		}
	}
	return path
}
