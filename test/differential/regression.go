package differential

import (
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"

	"sigs.k8s.io/yaml"
)

// regressions is the folder of the disagreements that were found.
const regressions = "testdata/regressions"

// ReadRegressions reads the kept groups, by file name.
func ReadRegressions() (map[string]Group, []string, error) {
	files, err := filepath.Glob(filepath.Join(regressions, "*.yaml"))
	if err != nil {
		return nil, nil, err
	}
	groups := map[string]Group{}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return nil, nil, err
		}
		var group Group
		if err := yaml.UnmarshalStrict(content, &group); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", file, err)
		}
		groups[filepath.Base(file)] = group
	}
	slices.Sort(files)
	return groups, files, nil
}

// Regression is a group as a file holds it.
func Regression(group Group, diff string) ([]byte, error) {
	group.About += "\n" + diff
	return yaml.Marshal(group)
}

// KeepRegression writes a group into the folder, under a name that follows from its content.
func KeepRegression(content []byte) (string, error) {
	hash := fnv.New32a()
	hash.Write(content)
	file := filepath.Join(regressions, fmt.Sprintf("found-%08x.yaml", hash.Sum32()))
	return file, os.WriteFile(file, content, 0o644)
}
