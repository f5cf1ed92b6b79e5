package inventory

import (
	corev1 "k8s.io/api/core/v1"
)

// loaded is what every inventory holds from the beginning.
type loaded struct {
	server     Server
	kinds      *Kinds
	policies   Policies
	namespaces []*corev1.Namespace
	incomplete []Gap
}

// Server identifies the API server.
func (l *loaded) Server() Server { return l.server }

// Kinds are the kinds that the server serves.
func (l *loaded) Kinds() *Kinds { return l.kinds }

// Policies are shared and not to be changed.
func (l *loaded) Policies() *Policies { return &l.policies }

// Namespaces are shared and not to be changed.
func (l *loaded) Namespaces() []*corev1.Namespace { return l.namespaces }

// Incomplete lists what could not be read.
func (l *loaded) Incomplete() []Gap { return l.incomplete }
