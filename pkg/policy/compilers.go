package policy

import (
	"sync"

	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

// made are the compilers that keep nothing of what they compile, one for each environment: making one takes longer than compiling what
// most policies say.
type made[C any] struct {
	compilers sync.Map // *environment.EnvSet: C
	make      func(*environment.EnvSet) (C, error)
}

func (m *made[C]) of(env *environment.EnvSet) (C, error) {
	if c, ok := m.compilers.Load(env); ok {
		return c.(C), nil
	}
	c, err := m.make(env)
	if err != nil {
		return c, err
	}
	first, _ := m.compilers.LoadOrStore(env, c)
	return first.(C), nil
}

var (
	plain = made[plugincel.Compiler]{make: func(env *environment.EnvSet) (plugincel.Compiler, error) {
		return plugincel.NewCompiler(env), nil
	}}
	withoutVariables = made[*plugincel.CompositedCompiler]{make: plugincel.NewCompositedCompiler}
)

// compositedCompiler returns a compiler for one policy, which may store as many variables in it as it says.
func compositedCompiler(env *environment.EnvSet, variables int) (*plugincel.CompositedCompiler, error) {
	if variables == 0 {
		return withoutVariables.of(env)
	}
	return plugincel.NewCompositedCompiler(env)
}
