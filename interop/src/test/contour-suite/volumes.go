// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func environment(pod *core.Pod, container core.Container) []string {
	fields := map[string]string{
		"metadata.name": pod.Name, "metadata.namespace": pod.Namespace, "spec.nodeName": nodeName,
	}
	result := []string{"PATH=" + os.Getenv("PATH"), "HOME=/tmp"}
	for _, variable := range container.Env {
		value := variable.Value
		if variable.ValueFrom != nil && variable.ValueFrom.FieldRef != nil {
			value = fields[variable.ValueFrom.FieldRef.FieldPath]
		}
		result = append(result, variable.Name+"="+value)
	}
	return result
}

// volumes writes what a pod mounts; where something is missing, the pod waits for it.
func (k *kubelet) volumes(ctx context.Context, pod *core.Pod, directory string) (map[string]string, error) {
	places := map[string]string{}
	for _, volume := range pod.Spec.Volumes {
		place := filepath.Join(directory, "volumes", volume.Name)
		if err := os.MkdirAll(place, 0o755); err != nil {
			return nil, err
		}
		places[volume.Name] = place
		content := map[string][]byte{}
		for {
			var err error
			switch {
			case volume.Secret != nil:
				var secret *core.Secret
				secret, err = k.cluster.client.CoreV1().Secrets(pod.Namespace).Get(ctx, volume.Secret.SecretName, meta.GetOptions{})
				if err == nil {
					content = secret.Data
				}
			case volume.ConfigMap != nil:
				var config *core.ConfigMap
				config, err = k.cluster.client.CoreV1().ConfigMaps(pod.Namespace).Get(ctx, volume.ConfigMap.Name, meta.GetOptions{})
				if err == nil {
					for name, value := range config.Data {
						content[name] = []byte(value)
					}
				}
			}
			if err == nil {
				break
			}
			select {
			case <-ctx.Done():
				return nil, err
			case <-time.After(200 * time.Millisecond):
			}
		}
		for name, value := range content {
			if err := os.WriteFile(filepath.Join(place, name), value, 0o644); err != nil {
				return nil, err
			}
		}
	}
	mounts := map[string]string{}
	for _, container := range pod.Spec.Containers {
		for _, mount := range container.VolumeMounts {
			mounts[mount.MountPath] = places[mount.Name]
		}
	}
	return mounts, nil
}

// expand replaces $(NAME) as Kubernetes does in commands.
func expand(text string, env []string) string {
	for _, variable := range env {
		name, value, _ := strings.Cut(variable, "=")
		text = strings.ReplaceAll(text, "$("+name+")", value)
	}
	return text
}
