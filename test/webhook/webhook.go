// Package webhook serves admission webhooks that a real API server calls.
package webhook

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// Webhook is one that is served, over TLS as the API server wants it.
type Webhook struct {
	server *httptest.Server
}

// Serve serves a webhook until the test ends: at its URL, and under the further host names given, such as name.namespace.svc for
// the service that a clientConfig names.
func Serve(t testing.TB, handler http.HandlerFunc, hosts ...string) *Webhook {
	t.Helper()
	certificate, err := selfSigned(hosts)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(handler)
	server.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
	server.StartTLS()
	t.Cleanup(server.Close)
	return &Webhook{server: server}
}

// selfSigned makes a certificate for the local address and some host names.
func selfSigned(hosts []string) (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("making a key: %w", err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		DNSNames: hosts, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	signed, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("making a certificate: %w", err)
	}
	return tls.Certificate{Certificate: [][]byte{signed}, PrivateKey: key}, nil
}

// URL is where it is served.
func (w *Webhook) URL() string { return w.server.URL }

// Port is the port there.
func (w *Webhook) Port() int { return w.server.Listener.Addr().(*net.TCPAddr).Port }

// Authority is what a clientConfig has as its caBundle.
func (w *Webhook) Authority() string {
	return base64.StdEncoding.EncodeToString(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: w.server.Certificate().Raw}))
}
