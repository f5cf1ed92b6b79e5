package inventory

import (
	"context"
	"iter"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// listing is a kind whose pages are being read.
type listing struct {
	kind      Kind
	namespace string
	pages     chan result[page]
}

// Objects yields kinds in the query's order, and within a kind in the server's. While one kind is looked at, the
// first pages of the next ones are read. An error of the context is yielded once and ends the iteration.
func (l *live) Objects(ctx context.Context, query Query) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		ctx, cancel := context.WithCancel(quiet(ctx))
		var reading sync.WaitGroup
		defer reading.Wait()
		defer cancel()
		for _, listing := range l.startListings(ctx, query, &reading) {
			if !listing.yieldAll(ctx, l, yield) {
				return
			}
		}
	}
}

// startListings starts reading the kinds, a few at a time, each in a goroutine that ends with its list or the context.
func (l *live) startListings(ctx context.Context, query Query, reading *sync.WaitGroup) []listing {
	options := metav1.ListOptions{Limit: l.pageSize}
	if query.Selector != nil {
		options.LabelSelector = query.Selector.String()
	}
	var listings []listing
	for _, kind := range query.Kinds {
		listings = append(listings, listing{kind: kind, namespace: namespaceOf(kind, query), pages: make(chan result[page], 1)})
	}
	slots := make(chan struct{}, parallelRequests)
	reading.Go(func() {
		for _, listing := range listings {
			slots <- struct{}{}
			reading.Go(func() {
				defer func() { <-slots }()
				defer close(listing.pages)
				listing.readAll(ctx, l.pages(ctx, listing.kind, query.Namespace, options))
			})
		}
	})
	return listings
}

// namespaceOf is where a kind's objects are listed: empty for everywhere.
func namespaceOf(kind Kind, query Query) string {
	if kind.Namespaced {
		return query.Namespace
	}
	return ""
}

func (l listing) readAll(ctx context.Context, pages iter.Seq2[page, error]) {
	for got, err := range pages {
		select {
		case l.pages <- result[page]{got, err}:
		case <-ctx.Done():
			return
		}
	}
}

// yieldAll yields the objects of one kind and says whether to go on.
func (l listing) yieldAll(ctx context.Context, from *live, yield func(Object, error) bool) bool {
	for got := range l.pages {
		if ctx.Err() != nil {
			break
		}
		if got.err != nil {
			right := Right{Verb: "list", Resource: l.kind.Resource.GroupResource(), Namespace: l.namespace}
			return yield(Object{}, &ListError{Kind: l.kind, Err: from.forbidden(got.err, right)})
		}
		for _, object := range got.value.objects {
			if !yield(Object{Kind: l.kind, Value: object, Defaulted: true}, nil) {
				return false
			}
		}
	}
	if ctx.Err() != nil {
		yield(Object{}, &ListError{Kind: l.kind, Err: ctx.Err()})
		return false
	}
	return true
}

// Get asks for one object.
func (l *live) Get(ctx context.Context, kind Kind, namespace, name string) (Object, error) {
	data, err := send(quiet(ctx), l.read(kind, namespace).Name(name))
	if err != nil {
		return Object{}, l.forbidden(err, Right{Verb: "get", Resource: kind.Resource.GroupResource(), Namespace: namespace})
	}
	value, err := decodeAnswer(data, kind, "")
	if err != nil {
		return Object{}, err
	}
	value.GetObjectKind().SetGroupVersionKind(kind.Kind)
	return Object{Kind: kind, Value: value, Defaulted: true}, nil
}

// Params lists a parameter kind once. The slice is shared and not to be changed.
func (l *live) Params(ctx context.Context, gvk schema.GroupVersionKind) ([]runtime.Object, Kind, error) {
	kind, served := l.kinds.ForKind(gvk)
	if !served {
		return nil, Kind{}, l.kinds.noMatch(gvk)
	}
	objects, err := l.params.get(quiet(ctx), gvk, func(ctx context.Context) ([]runtime.Object, error) {
		return l.collect(ctx, kind)
	})
	return objects, kind, l.forbidden(err, Right{Verb: "list", Resource: kind.Resource.GroupResource()})
}
