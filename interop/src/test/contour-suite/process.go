// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// podProcess is the first process of a pod, which begins its work when it is told what to run.
type podProcess struct {
	*exec.Cmd
	input io.WriteCloser
}

func startPod(plan podPlan) (*podProcess, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	log, err := os.Create(filepath.Join(filepath.Dir(plan.Root), "pod.log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	process := exec.Command(self, "pod")
	process.Stdout, process.Stderr = log, log
	process.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWNET | syscall.CLONE_NEWNS | syscall.CLONE_NEWUTS,
		Setpgid:    true,
	}
	input, err := process.StdinPipe()
	if err != nil {
		return nil, err
	}
	return &podProcess{process, input}, process.Start()
}

func (p *podProcess) tell(plan podPlan) error {
	content, err := json.Marshal(plan)
	if err == nil {
		_, err = p.input.Write(content)
	}
	return errors.Join(err, p.input.Close())
}

func (p *podProcess) end() {
	_ = p.input.Close()
	_ = syscall.Kill(-p.Process.Pid, syscall.SIGTERM)
	ended := make(chan struct{})
	go func() {
		_ = p.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(2 * time.Second):
		_ = syscall.Kill(-p.Process.Pid, syscall.SIGKILL)
		<-ended
	}
}
