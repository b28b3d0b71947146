// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
)

// rig is what a run is about.
type rig struct {
	with     string // contour or holdfast
	focus    string
	out      string // logs and results
	kube     string // kube-apiserver, etcd, kube-controller-manager, kubectl, contour-crds.yaml
	contour  string // contour, the suites and their sources, echo, yages, CRDs of cert-manager
	envoy    string
	holdfast string // the root of Holdfast's sources
	jobs     int
	job      int
	again    bool   // nothing is run; the reports of the last run are read again
	write    string // the page for the results, if any
	suites   []string
}

func parseRig(args []string) (*rig, error) {
	r := &rig{}
	flags := flag.NewFlagSet("rig", flag.ExitOnError)
	flags.StringVar(&r.with, "with", "holdfast", "")
	flags.StringVar(&r.focus, "focus", "", "")
	flags.StringVar(&r.out, "out", "", "")
	flags.StringVar(&r.kube, "kube", "", "")
	flags.StringVar(&r.contour, "contour", "", "")
	flags.StringVar(&r.envoy, "envoy", "", "")
	flags.StringVar(&r.holdfast, "holdfast", "", "")
	flags.IntVar(&r.jobs, "jobs", 1, "")
	flags.IntVar(&r.job, "job", 0, "")
	flags.BoolVar(&r.again, "again", false, "")
	flags.StringVar(&r.write, "write", "", "")
	err := flags.Parse(args)
	r.suites = flags.Args()
	return r, err
}

// run starts each job in namespaces of its own, which end with it, and gathers what they found.
func run(args []string) error {
	r, err := parseRig(args)
	if err != nil {
		return err
	}
	if r.again {
		return r.gather()
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	var jobs []*exec.Cmd
	for i := range r.jobs {
		directory := r.jobDirectory(i)
		if err := os.RemoveAll(directory); err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Join(directory, "tmp"), 0o755); err != nil {
			return err
		}
		job := exec.CommandContext(ctx, "unshare", append([]string{
			"-rnmpf", "--mount-proc", "--kill-child", self, "cluster", "--job", strconv.Itoa(i),
		}, args...)...)
		job.Stdout, job.Stderr = os.Stdout, os.Stderr
		job.Env = append(os.Environ(), "TMPDIR="+filepath.Join(directory, "tmp"))
		if err := job.Start(); err != nil {
			return err
		}
		jobs = append(jobs, job)
	}
	for _, job := range jobs {
		err = errors.Join(err, job.Wait())
	}
	return errors.Join(err, r.gather())
}

func (r *rig) jobDirectory(job int) string {
	return filepath.Join(r.out, r.with, strconv.Itoa(job))
}

func clusterMain(args []string) error {
	r, err := parseRig(args)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := startNetwork(); err != nil {
		return err
	}
	c, err := startCluster(ctx, r.kube, r.jobDirectory(r.job))
	if err != nil {
		return err
	}
	for _, file := range []string{
		filepath.Join(r.kube, "contour-crds.yaml"),
		filepath.Join(r.contour, "cert-manager-crds"),
		filepath.Join(r.holdfast, "deploy/crds/extensionpolicy.yaml"),
	} {
		if err := command(filepath.Join(r.kube, "kubectl"), "--kubeconfig", c.kubeconfig,
			"apply", "--server-side", "-f", file); err != nil {
			return err
		}
	}
	if err := startServices(ctx, c); err != nil {
		return err
	}
	if err := startKubelet(ctx, c, images{programs: r.contour, envoy: r.envoy}); err != nil {
		return err
	}
	startCertificates(ctx, c)
	launcher, err := r.standIns()
	if err != nil {
		return err
	}
	for _, suite := range r.suites {
		if err := r.runSuite(ctx, c, suite, launcher); err != nil {
			return err
		}
	}
	return nil
}
