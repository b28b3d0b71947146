// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	core "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
)

// kubelet runs pods as processes of this machine, each in a network and a tree of files of its own.
type kubelet struct {
	cluster *cluster
	images  images
	ctx     context.Context
	mutex   sync.Mutex
	running map[types.UID]*runningPod
}

type runningPod struct {
	stop context.CancelFunc
	done chan struct{}
}

func startKubelet(ctx context.Context, c *cluster, images images) error {
	k := &kubelet{cluster: c, images: images, ctx: ctx, running: map[types.UID]*runningPod{}}
	factory := informers.NewSharedInformerFactory(c.client, 0)
	_, err := factory.Core().V1().Pods().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { k.look(object.(*core.Pod)) },
		UpdateFunc: func(_, object any) { k.look(object.(*core.Pod)) },
		DeleteFunc: func(object any) {
			if pod, ok := object.(*core.Pod); ok {
				k.end(pod)
			}
		},
	})
	if err != nil {
		return err
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	return nil
}

func (k *kubelet) look(pod *core.Pod) {
	switch {
	case pod.DeletionTimestamp != nil:
		go k.delete(pod)
	case pod.Spec.NodeName == "":
		go k.bind(pod)
	default:
		k.begin(pod)
	}
}

// bind does what a scheduler would: there is one node, and everything fits.
func (k *kubelet) bind(pod *core.Pod) {
	err := k.cluster.client.CoreV1().Pods(pod.Namespace).Bind(k.ctx, &core.Binding{
		ObjectMeta: meta.ObjectMeta{Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID},
		Target:     core.ObjectReference{Kind: "Node", Name: nodeName},
	}, meta.CreateOptions{})
	if err != nil && !apierrors.IsConflict(err) && !apierrors.IsNotFound(err) {
		fmt.Fprintf(os.Stderr, "binding of pod %s: %v\n", key(pod), err)
	}
}

func (k *kubelet) begin(pod *core.Pod) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if k.running[pod.UID] != nil {
		return
	}
	ctx, stop := context.WithCancel(k.ctx)
	running := &runningPod{stop: stop, done: make(chan struct{})}
	k.running[pod.UID] = running
	go func() {
		defer close(running.done)
		if err := k.run(ctx, pod); err != nil && ctx.Err() == nil {
			fmt.Fprintf(os.Stderr, "pod %s: %v\n", key(pod), err)
		}
	}()
}

func (k *kubelet) end(pod *core.Pod) {
	k.mutex.Lock()
	running := k.running[pod.UID]
	k.mutex.Unlock()
	if running != nil {
		running.stop()
		<-running.done
	}
}

func (k *kubelet) delete(pod *core.Pod) {
	k.end(pod)
	err := k.cluster.client.CoreV1().Pods(pod.Namespace).Delete(k.ctx, pod.Name, meta.DeleteOptions{
		GracePeriodSeconds: new(int64),
		Preconditions:      &meta.Preconditions{UID: &pod.UID},
	})
	if err != nil && !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) {
		fmt.Fprintf(os.Stderr, "deletion of pod %s: %v\n", key(pod), err)
	}
}

func (k *kubelet) run(ctx context.Context, pod *core.Pod) error {
	directory := filepath.Join(k.cluster.directory, "pods", pod.Namespace, pod.Name)
	if err := os.MkdirAll(filepath.Join(directory, "root"), 0o755); err != nil {
		return err
	}
	plan := podPlan{Name: pod.Name, Root: filepath.Join(directory, "root")}
	var err error
	if plan.Mounts, err = k.volumes(ctx, pod, directory); err != nil {
		return err
	}
	for _, container := range pod.Spec.Containers {
		plan.Containers = append(plan.Containers, containerPlan{
			Name:    container.Name,
			Command: k.images.command(container, environment(pod, container)),
			Env:     environment(pod, container),
			Log:     filepath.Join(directory, container.Name+".log"),
		})
	}
	process, err := startPod(plan)
	if err != nil {
		return err
	}
	defer process.end()
	address := newPodAddress()
	if pod.Labels["app"] == "envoy" {
		address = envoyAddress
	}
	if err := connectPod(process.Process.Pid, address); err != nil {
		return err
	}
	if err := process.tell(plan); err != nil {
		return err
	}
	return k.report(ctx, pod, address)
}
