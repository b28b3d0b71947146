// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

const (
	adminToken = "admin-token"
	apiServer  = "127.0.0.1:6443"
	etcdServer = "127.0.0.1:2379"
	nodeName   = "node"
)

// cluster is an API server with its controllers. Everything ends with this process: the namespace of its
// processes does.
type cluster struct {
	directory  string // logs and data
	kubeconfig string
	config     *rest.Config
	client     kubernetes.Interface
	dynamic    dynamic.Interface
}

func startCluster(ctx context.Context, kube, directory string) (*cluster, error) {
	c := &cluster{directory: directory, kubeconfig: filepath.Join(directory, "kubeconfig")}
	certificates := filepath.Join(directory, "certs")
	key := filepath.Join(directory, "sa.key")
	tokens := filepath.Join(directory, "tokens.csv")
	authority := filepath.Join(certificates, "apiserver.crt")
	if err := os.MkdirAll(certificates, 0o755); err != nil {
		return nil, err
	}
	for file, content := range map[string]string{
		key:    newKeyPem(),
		tokens: adminToken + ",admin,admin,\"system:masters\"\n",
		c.kubeconfig: `apiVersion: v1
kind: Config
clusters: [{name: rig, cluster: {server: "https://` + apiServer + `", certificate-authority: "` + authority + `"}}]
users: [{name: rig, user: {token: "` + adminToken + `"}}]
contexts: [{name: rig, context: {cluster: rig, user: rig}}]
current-context: rig
`,
	} {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			return nil, err
		}
	}
	if err := c.start(kube, "etcd",
		"--name=rig", "--data-dir="+filepath.Join(directory, "etcd"), "--unsafe-no-fsync",
		"--listen-client-urls=http://"+etcdServer, "--advertise-client-urls=http://"+etcdServer,
		"--listen-peer-urls=http://127.0.0.1:2380", "--initial-advertise-peer-urls=http://127.0.0.1:2380",
		"--initial-cluster=rig=http://127.0.0.1:2380"); err != nil {
		return nil, err
	}
	if err := c.start(kube, "kube-apiserver",
		"--etcd-servers=http://"+etcdServer, "--bind-address=127.0.0.1", "--advertise-address=127.0.0.1",
		"--secure-port=6443", "--cert-dir="+certificates, "--service-cluster-ip-range=10.96.0.0/16",
		// It may not announce an address of loopback.
		"--endpoint-reconciler-type=none",
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file="+key, "--service-account-signing-key-file="+key,
		"--token-auth-file="+tokens, "--authorization-mode=RBAC",
		// Pods of this rig get no tokens.
		"--disable-admission-plugins=ServiceAccount", "--profiling=false"); err != nil {
		return nil, err
	}
	if err := awaitFile(ctx, authority); err != nil {
		return nil, err
	}
	c.config = &rest.Config{
		Host:            "https://" + apiServer,
		BearerToken:     adminToken,
		TLSClientConfig: rest.TLSClientConfig{CAFile: authority},
		QPS:             500,
		Burst:           500,
	}
	var err error
	if c.client, err = kubernetes.NewForConfig(c.config); err != nil {
		return nil, err
	}
	if c.dynamic, err = dynamic.NewForConfig(c.config); err != nil {
		return nil, err
	}
	if err := c.awaitReady(ctx); err != nil {
		return nil, err
	}
	if err := c.start(kube, "kube-controller-manager",
		"--kubeconfig="+c.kubeconfig, "--leader-elect=false", "--bind-address=127.0.0.1", "--cert-dir="+certificates,
		"--service-account-private-key-file="+key, "--kube-api-qps=300", "--kube-api-burst=300",
		"--controllers=deployment-controller,replicaset-controller,daemonset-controller,"+
			"endpointslice-controller,garbage-collector-controller,namespace-controller"); err != nil {
		return nil, err
	}
	return c, c.addNode(ctx)
}

func (c *cluster) start(programs, name string, args ...string) error {
	log, err := os.Create(filepath.Join(c.directory, name+".log"))
	if err != nil {
		return err
	}
	command := exec.Command(filepath.Join(programs, name), args...)
	command.Stdout, command.Stderr = log, log
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := command.Start(); err != nil {
		return err
	}
	go func() {
		err := command.Wait()
		fmt.Fprintf(os.Stderr, "%s has ended: %v; see %s\n", name, err, log.Name())
	}()
	return nil
}

func (c *cluster) awaitReady(ctx context.Context) error {
	client, err := rest.HTTPClientFor(c.config)
	if err != nil {
		return err
	}
	return await(ctx, "the API server to be ready", func() bool {
		response, err := client.Get(c.config.Host + "/readyz")
		if err != nil {
			return false
		}
		defer response.Body.Close()
		_, _ = io.Copy(io.Discard, response.Body)
		return response.StatusCode == http.StatusOK
	})
}

// addNode adds a node on which pods may run: an API server thinks of a new one that it is not ready.
func (c *cluster) addNode(ctx context.Context) error {
	nodes := c.client.CoreV1().Nodes()
	node, err := nodes.Create(ctx, &core.Node{ObjectMeta: meta.ObjectMeta{Name: nodeName}}, meta.CreateOptions{})
	if err != nil {
		return err
	}
	node.Spec.Taints = nil
	if node, err = nodes.Update(ctx, node, meta.UpdateOptions{}); err != nil {
		return err
	}
	plenty := core.ResourceList{
		core.ResourceCPU:    resource.MustParse("64"),
		core.ResourceMemory: resource.MustParse("256Gi"),
		core.ResourcePods:   resource.MustParse("1000"),
	}
	node.Status.Capacity, node.Status.Allocatable = plenty, plenty
	node.Status.Conditions = []core.NodeCondition{{Type: core.NodeReady, Status: core.ConditionTrue, Reason: "Rig"}}
	_, err = nodes.UpdateStatus(ctx, node, meta.UpdateOptions{})
	return err
}

func newKeyPem() string {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err) // the machine has no randomness
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}))
}

func awaitFile(ctx context.Context, path string) error {
	return await(ctx, path, func() bool {
		info, err := os.Stat(path)
		return err == nil && info.Size() > 0
	})
}

func await(ctx context.Context, what string, isThere func() bool) error {
	deadline := time.After(2 * time.Minute)
	for !isThere() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-deadline:
			return fmt.Errorf("waited two minutes for %s", what)
		case <-time.After(50 * time.Millisecond):
		}
	}
	return nil
}
