// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"os"
	"time"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	certmanager "github.com/cert-manager/cert-manager/pkg/apis/certmanager/v1"
	certmanagermeta "github.com/cert-manager/cert-manager/pkg/apis/meta/v1"
)

var (
	certificateKind = schema.GroupVersionResource{Group: "cert-manager.io", Version: "v1", Resource: "certificates"}
	issuerKind      = schema.GroupVersionResource{Group: "cert-manager.io", Version: "v1", Resource: "issuers"}
)

// startCertificates stands in for cert-manager: Certificates of the Issuers SelfSigned and CA get their Secrets, again
// after somebody deleted them.
func startCertificates(ctx context.Context, c *cluster) {
	go func() {
		for ctx.Err() == nil {
			if err := issueAll(ctx, c); err != nil && ctx.Err() == nil {
				fmt.Fprintln(os.Stderr, "certificates:", err)
			}
			select {
			case <-ctx.Done():
			case <-time.After(250 * time.Millisecond):
			}
		}
	}()
}

func issueAll(ctx context.Context, c *cluster) error {
	list, err := c.dynamic.Resource(certificateKind).List(ctx, meta.ListOptions{})
	if err != nil {
		return err
	}
	for _, item := range list.Items {
		var certificate certmanager.Certificate
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(item.Object, &certificate); err != nil {
			return err
		}
		if certificate.DeletionTimestamp != nil {
			continue
		}
		_, err := c.client.CoreV1().Secrets(certificate.Namespace).Get(ctx, certificate.Spec.SecretName, meta.GetOptions{})
		switch {
		case errors.IsNotFound(err):
			err = issue(ctx, c, &certificate)
		case err == nil && len(certificate.Status.Conditions) == 0:
			err = markReady(ctx, c, &certificate)
		}
		if err != nil && !errors.IsNotFound(err) && !errors.IsForbidden(err) && !errors.IsConflict(err) {
			return fmt.Errorf("%s: %w", key(&certificate), err)
		}
	}
	return nil
}

// issue makes the Secret of a Certificate, unless what signs it is not there yet.
func issue(ctx context.Context, c *cluster, certificate *certmanager.Certificate) error {
	object, err := c.dynamic.Resource(issuerKind).Namespace(certificate.Namespace).
		Get(ctx, certificate.Spec.IssuerRef.Name, meta.GetOptions{})
	if err != nil {
		return err
	}
	var issuer certmanager.Issuer
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, &issuer); err != nil {
		return err
	}
	var authority *tls.Certificate
	if issuer.Spec.CA != nil {
		secret, err := c.client.CoreV1().Secrets(certificate.Namespace).Get(ctx, issuer.Spec.CA.SecretName, meta.GetOptions{})
		if err != nil {
			return err
		}
		pair, err := tls.X509KeyPair(secret.Data[core.TLSCertKey], secret.Data[core.TLSPrivateKeyKey])
		if err != nil {
			return err
		}
		authority = &pair
	}
	data, err := sign(certificate, authority)
	if err != nil {
		return err
	}
	_, err = c.client.CoreV1().Secrets(certificate.Namespace).Create(ctx, &core.Secret{
		ObjectMeta: meta.ObjectMeta{Name: certificate.Spec.SecretName},
		Type:       core.SecretTypeTLS,
		Data:       data,
	}, meta.CreateOptions{})
	return err
}

// sign makes the content of a Secret; without an authority, a certificate signs itself.
func sign(certificate *certmanager.Certificate, authority *tls.Certificate) (map[string][]byte, error) {
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, err
	}
	spec := certificate.Spec
	template := &x509.Certificate{
		SerialNumber:          serial,
		Subject:               pkix.Name{CommonName: spec.CommonName},
		DNSNames:              spec.DNSNames,
		EmailAddresses:        spec.EmailAddresses,
		NotBefore:             time.Now().Add(-time.Minute),
		NotAfter:              time.Now().Add(90 * 24 * time.Hour),
		BasicConstraintsValid: true,
		IsCA:                  spec.IsCA,
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageKeyEncipherment,
	}
	if spec.Subject != nil {
		template.Subject.OrganizationalUnit = spec.Subject.OrganizationalUnits
		template.Subject.Organization = spec.Subject.Organizations
	}
	if spec.IsCA {
		template.KeyUsage |= x509.KeyUsageCertSign
	}
	for _, usage := range spec.Usages {
		switch usage {
		case certmanager.UsageServerAuth:
			template.ExtKeyUsage = append(template.ExtKeyUsage, x509.ExtKeyUsageServerAuth)
		case certmanager.UsageClientAuth:
			template.ExtKeyUsage = append(template.ExtKeyUsage, x509.ExtKeyUsageClientAuth)
		}
	}
	parent, signer, ca := template, crypto.Signer(private), []byte(nil)
	if authority != nil {
		parent, signer = authority.Leaf, authority.PrivateKey.(crypto.Signer)
		ca = certificatePem(authority.Certificate[0])
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, private.Public(), signer)
	if err != nil {
		return nil, err
	}
	if ca == nil {
		ca = certificatePem(der)
	}
	return map[string][]byte{
		core.TLSCertKey: certificatePem(der),
		core.TLSPrivateKeyKey: pem.EncodeToMemory(
			&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(private)}),
		"ca.crt": ca,
	}, nil
}

func certificatePem(der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

func markReady(ctx context.Context, c *cluster, certificate *certmanager.Certificate) error {
	now := meta.Now()
	certificate.Status.Conditions = []certmanager.CertificateCondition{{
		Type: certmanager.CertificateConditionReady, Status: certmanagermeta.ConditionTrue,
		LastTransitionTime: &now, Reason: "Ready", Message: "issued",
	}}
	object, err := runtime.DefaultUnstructuredConverter.ToUnstructured(certificate)
	if err != nil {
		return err
	}
	_, err = c.dynamic.Resource(certificateKind).Namespace(certificate.Namespace).
		UpdateStatus(ctx, &unstructured.Unstructured{Object: object}, meta.UpdateOptions{})
	return err
}
