package inventory

import (
	"context"
	"sync"

	"github.com/go-logr/logr"
	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/openapi"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
)

// LiveOptions change how Live asks an API server.
type LiveOptions struct {
	// PageSize is how many objects are asked for at once; 0 is 500, as kubectl has it.
	PageSize int64
}

// How many requests run at the same time.
const parallelRequests = 4

// Live reads an inventory from an API server: its version, the kinds it serves, namespaces, admission policies
// and webhook configurations at once, all else when asked for. What may not be read or can't be is in the inventory's
// Incomplete. The error says that the server could not be asked at all.
//
// The config's timeout holds for each request. Nothing is logged.
func Live(ctx context.Context, config *rest.Config, options LiveOptions) (Inventory, error) {
	ctx = quiet(ctx)
	config = quietConfig(config)
	l := &live{host: config.Host, pageSize: options.PageSize}
	if l.pageSize == 0 {
		l.pageSize = 500
	}
	var err error
	if l.client, err = rest.UnversionedRESTClientFor(config); err != nil {
		return nil, err
	}
	if err := l.discover(ctx, config); err != nil {
		return nil, err
	}
	if err := l.load(ctx); err != nil {
		return nil, err
	}
	return l, nil
}

// live is an inventory that is read from an API server.
type live struct {
	loaded
	mu      sync.Mutex // guards incomplete and policies while they are loaded, and missing
	missing []Right

	host     string
	client   rest.Interface
	pageSize int64

	namespaceByName memo[string, *corev1.Namespace]
	params          memo[schema.GroupVersionKind, []runtime.Object]
	schemaPaths     memo[struct{}, map[string]openapi.GroupVersionWithContext]
	schemas         memo[schema.GroupVersion, schemas]
	converters      memo[schema.GroupVersion, managedfields.TypeConverter]
}

// quiet keeps client-go from logging to standard error.
func quiet(ctx context.Context) context.Context { return klog.NewContext(ctx, logr.Discard()) }

// quietConfig returns a copy of a config, with kubectl's rate limits where it sets none, that shows no warnings: those that
// matter here come from simulating.
func quietConfig(config *rest.Config) *rest.Config {
	config = rest.CopyConfig(config)
	config.WarningHandler = rest.NoWarnings{}
	config.WarningHandlerWithContext = nil
	config.NegotiatedSerializer = scheme.Codecs.WithoutConversion()
	config.GroupVersion = &schema.GroupVersion{}
	if config.QPS == 0 && config.RateLimiter == nil {
		config.QPS, config.Burst = 50, 300
	}
	return config
}

// load reads the namespaces and the policies. Its only error is the context's.
func (l *live) load(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(parallelRequests)
	group.Go(func() error { return l.loadNamespaces(ctx) })
	for _, resource := range policyResources {
		if kind, served := l.bestVersion(resource); served {
			group.Go(func() error { return l.loadPolicies(ctx, kind) })
		}
	}
	if err := group.Wait(); err != nil {
		return err
	}
	l.policies.sort()
	sortGaps(l.policies.Unread)
	sortGaps(l.incomplete)
	return nil
}

func (l *live) loadNamespaces(ctx context.Context) error {
	kind, served := l.kinds.ForResource(corev1.SchemeGroupVersion.WithResource("namespaces"))
	if !served {
		return nil
	}
	objects, err := l.collect(ctx, kind)
	if err != nil {
		// Not a gap yet: each namespace that is needed is asked for by itself, and whoever wants all of them lists them.
		return ctx.Err()
	}
	for _, object := range objects {
		if namespace, ok := object.(*corev1.Namespace); ok {
			l.namespaces = append(l.namespaces, namespace)
		}
	}
	sortByName(l.namespaces)
	return nil
}

// gap records a policy kind that couldn't be listed. The context's end is an error instead.
func (l *live) gap(ctx context.Context, kind Kind, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	err = l.forbidden(err, Right{Verb: "list", Resource: kind.Resource.GroupResource()})
	l.mu.Lock()
	defer l.mu.Unlock()
	gap := Gap{What: kind.Resource.GroupResource().String(), Why: err.Error()}
	l.incomplete = append(l.incomplete, gap)
	l.policies.Unread = append(l.policies.Unread, gap)
	return nil
}

// Namespace returns a namespace from the list, else asks for it.
func (l *live) Namespace(ctx context.Context, name string) (*corev1.Namespace, error) {
	for _, namespace := range l.namespaces {
		if namespace.Name == name {
			return namespace, nil
		}
	}
	return l.namespaceByName.get(ctx, name, func(ctx context.Context) (*corev1.Namespace, error) {
		kind, served := l.kinds.ForKind(corev1.SchemeGroupVersion.WithKind("Namespace"))
		if !served {
			return nil, apierrors.NewNotFound(namespacesResource, name)
		}
		object, err := l.Get(ctx, kind, "", name)
		if err != nil {
			return nil, err
		}
		return object.Value.(*corev1.Namespace), nil
	})
}
