// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"time"

	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// report says whether a pod is ready, until the pod ends.
func (k *kubelet) report(ctx context.Context, pod *core.Pod, address string) error {
	wasReady := false
	for first := true; ; first = false {
		isReady := true
		for _, container := range pod.Spec.Containers {
			isReady = isReady && probe(container, address)
		}
		if first || isReady != wasReady {
			if err := k.patchStatus(ctx, pod, address, isReady); err != nil {
				return err
			}
			wasReady = isReady
		}
		pause := 200 * time.Millisecond
		if isReady {
			pause = time.Second
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
		}
	}
}

func (k *kubelet) patchStatus(ctx context.Context, pod *core.Pod, address string, isReady bool) error {
	ready := core.ConditionFalse
	if isReady {
		ready = core.ConditionTrue
	}
	now := meta.Now()
	status := core.PodStatus{
		Phase: core.PodRunning, HostIP: hostAddress, PodIP: address, PodIPs: []core.PodIP{{IP: address}},
		StartTime: &now,
	}
	for kind, value := range map[core.PodConditionType]core.ConditionStatus{
		core.PodScheduled: core.ConditionTrue, core.PodInitialized: core.ConditionTrue,
		core.ContainersReady: ready, core.PodReady: ready,
	} {
		status.Conditions = append(status.Conditions, core.PodCondition{Type: kind, Status: value, LastTransitionTime: now})
	}
	for _, container := range pod.Spec.Containers {
		status.ContainerStatuses = append(status.ContainerStatuses, core.ContainerStatus{
			Name: container.Name, Image: container.Image, Ready: isReady, Started: new(true),
			State: core.ContainerState{Running: &core.ContainerStateRunning{StartedAt: now}},
		})
	}
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"uid": pod.UID}, "status": status})
	if err != nil {
		return err
	}
	_, err = k.cluster.client.CoreV1().Pods(pod.Namespace).
		Patch(ctx, pod.Name, types.StrategicMergePatchType, patch, meta.PatchOptions{}, "status")
	return err
}

// probe asks a container whether it is ready. A command cannot be run here; whether its port is open is as good.
func probe(container core.Container, address string) bool {
	readiness := container.ReadinessProbe
	switch {
	case readiness == nil:
		return true
	case readiness.HTTPGet != nil:
		client := http.Client{Timeout: time.Second}
		url := fmt.Sprintf("http://%s:%d%s", address, portOf(container, readiness.HTTPGet.Port), readiness.HTTPGet.Path)
		response, err := client.Get(url)
		if err != nil {
			return false
		}
		defer response.Body.Close()
		return response.StatusCode >= 200 && response.StatusCode < 400
	default:
		connection, err := net.DialTimeout("tcp", fmt.Sprintf("%s:%d", address, container.Ports[0].ContainerPort), time.Second)
		if err != nil {
			return false
		}
		defer connection.Close()
		return true
	}
}

func portOf(container core.Container, port intstr.IntOrString) int {
	for _, each := range container.Ports {
		if port.Type == intstr.String && each.Name == port.StrVal {
			return int(each.ContainerPort)
		}
	}
	return port.IntValue()
}
