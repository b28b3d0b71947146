// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// podPlan is what a pod is to be.
type podPlan struct {
	Name       string            // of its host, too
	Root       string            // an empty directory, which becomes the root of its files
	Mounts     map[string]string // by path in the pod: the directory that is seen there
	Containers []containerPlan
}

type containerPlan struct {
	Name    string
	Command []string
	Env     []string
	Log     string
}

// podMain is the first process of a pod, already in its own namespaces. It is told on its standard input what to
// run, when its network is there.
func podMain() error {
	// The death of a parent is that of the thread which started a child.
	runtime.LockOSThread()
	terminated := make(chan os.Signal, 1)
	signal.Notify(terminated, syscall.SIGTERM)
	var plan podPlan
	if err := json.NewDecoder(os.Stdin).Decode(&plan); err != nil {
		return err
	}
	if err := syscall.Sethostname([]byte(plan.Name)); err != nil {
		return err
	}
	if err := makeRoot(plan); err != nil {
		return err
	}
	var all sync.WaitGroup
	ending := make(chan struct{})
	for _, container := range plan.Containers {
		all.Add(1)
		go func() {
			runtime.LockOSThread()
			defer all.Done()
			runContainer(plan, container, ending)
		}()
	}
	<-terminated
	close(ending)
	all.Wait()
	return nil
}

// runContainer runs a container until the pod ends, again if it ends by itself.
func runContainer(plan podPlan, container containerPlan, ending chan struct{}) {
	log, err := os.OpenFile(container.Log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	defer log.Close()
	for {
		process := exec.Command(container.Command[0], container.Command[1:]...)
		process.Env = container.Env
		process.Dir = "/"
		process.Stdout, process.Stderr = log, log
		process.SysProcAttr = &syscall.SysProcAttr{Chroot: plan.Root, Pdeathsig: syscall.SIGKILL}
		if err := process.Start(); err != nil {
			fmt.Fprintln(log, err)
		} else {
			ended := make(chan struct{})
			go func() {
				_ = process.Wait()
				close(ended)
			}()
			select {
			case <-ended:
			case <-ending:
				_ = process.Process.Signal(syscall.SIGTERM)
				select {
				case <-ended:
				case <-time.After(time.Second):
					_ = process.Process.Kill()
				}
			}
		}
		select {
		case <-ending:
			return
		case <-time.After(500 * time.Millisecond):
			fmt.Fprintln(log, "restarted")
		}
	}
}

// makeRoot makes a tree of files like that of the machine, but for what the pod mounts, and for directories in which
// a pod would meet others.
func makeRoot(plan podPlan) error {
	if err := syscall.Mount("root", plan.Root, "tmpfs", 0, ""); err != nil {
		return fmt.Errorf("%s: %w", plan.Root, err)
	}
	entries, err := os.ReadDir("/")
	if err != nil {
		return err
	}
	mounted := map[string]bool{"run": true}
	for path := range plan.Mounts {
		first, _, _ := cutPath(path)
		mounted[first] = true
	}
	for _, entry := range entries {
		from, to := filepath.Join("/", entry.Name()), filepath.Join(plan.Root, entry.Name())
		switch {
		case mounted[entry.Name()]:
		case entry.Type()&os.ModeSymlink != 0:
			target, err := os.Readlink(from)
			if err == nil {
				err = os.Symlink(target, to)
			}
			if err != nil {
				return err
			}
		case entry.IsDir():
			if err := os.Mkdir(to, 0o755); err != nil {
				return err
			}
			// What cannot be seen here cannot be seen there.
			_ = syscall.Mount(from, to, "", syscall.MS_BIND|syscall.MS_REC, "")
		}
	}
	for path, from := range plan.Mounts {
		to := filepath.Join(plan.Root, path)
		if err := os.MkdirAll(to, 0o755); err != nil {
			return err
		}
		if err := syscall.Mount(from, to, "", syscall.MS_BIND, ""); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	// Envoys of the same machine would meet there.
	_ = syscall.Mount("shm", filepath.Join(plan.Root, "dev/shm"), "tmpfs", 0, "")
	return nameServer(plan.Root)
}

func nameServer(root string) error {
	const content = "nameserver " + hostAddress + "\n"
	file := filepath.Join(root, "etc/resolv.conf")
	if target, err := os.Readlink(file); err == nil {
		if !filepath.IsAbs(target) {
			target = filepath.Join("/etc", target)
		}
		file = filepath.Join(root, target)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		return os.WriteFile(file, []byte(content), 0o644)
	}
	ours := filepath.Join(filepath.Dir(root), "resolv.conf")
	if err := os.WriteFile(ours, []byte(content), 0o644); err != nil {
		return err
	}
	return syscall.Mount(ours, file, "", syscall.MS_BIND, "")
}

func cutPath(path string) (first, rest string, found bool) {
	path = filepath.Clean(path)
	for i := 1; i < len(path); i++ {
		if path[i] == '/' {
			return path[1:i], path[i+1:], true
		}
	}
	return path[1:], "", false
}
