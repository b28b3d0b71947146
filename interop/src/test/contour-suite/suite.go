// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
)

func (r *rig) runSuite(ctx context.Context, c *cluster, suite, launcher string) error {
	env := append(os.Environ(),
		"PATH="+filepath.Join(r.jobDirectory(r.job), "bin")+":"+os.Getenv("PATH"),
		"KUBECONFIG="+c.kubeconfig,
		"CONTOUR_E2E_LOCAL_HOST="+hostAddress,
		"CONTOUR_E2E_HTTP_URL_BASE=http://"+envoyAddress+":8080",
		"CONTOUR_E2E_HTTPS_URL_BASE=https://"+envoyAddress+":8443",
		launcherVariable+"="+launcher,
		holdfastVariable+"="+filepath.Join(r.holdfast, "holdfast"),
		bootstrapVariable+"="+filepath.Join(r.jobDirectory(r.job), "bootstrap.json"),
	)
	var args []string
	if r.focus != "" {
		args = append(args, "--ginkgo.focus="+r.focus)
	}
	if r.jobs > 1 {
		plan := filepath.Join(r.jobDirectory(r.job), suite+".plan.json")
		if err := r.call(ctx, suite, plan, env, append(args, "--ginkgo.dry-run")...); err != nil {
			return err
		}
		mine, err := r.share(plan)
		if err != nil || len(mine) == 0 {
			return err
		}
		args = mine
	}
	return r.call(ctx, suite, r.ginkgo(r.job, suite), env, args...)
}

func (r *rig) call(ctx context.Context, suite, report string, env []string, args ...string) error {
	log, err := os.Create(filepath.Join(r.jobDirectory(r.job), suite+".log"))
	if err != nil {
		return err
	}
	defer log.Close()
	test := exec.CommandContext(ctx, filepath.Join(r.contour, suite+".test"), append([]string{
		"--ginkgo.v", "--ginkgo.no-color", "--ginkgo.timeout=6h", "--ginkgo.json-report=" + report,
	}, args...)...)
	test.Cancel = func() error { return test.Process.Signal(syscall.SIGINT) }
	test.Dir = filepath.Join(r.contour, "source/test/e2e", suite)
	test.Stdout, test.Stderr = log, log
	test.Env = env
	err = test.Run()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) && ctx.Err() == nil {
		return nil // specs that failed are in the report
	}
	return err
}

// share picks every nth spec of those that a dry run would run.
func (r *rig) share(plan string) (focus []string, err error) {
	specs, err := readGinkgo(plan)
	if err != nil {
		return nil, err
	}
	var texts []string
	for _, spec := range specs {
		if spec.LeafNodeType == "It" && spec.State == "passed" {
			texts = append(texts, strings.Join(append(spec.ContainerHierarchyTexts, spec.LeafNodeText), " "))
		}
	}
	slices.Sort(texts)
	for i, text := range texts {
		if i%r.jobs == r.job {
			focus = append(focus, "--ginkgo.focus="+regexp.QuoteMeta(text)+"$")
		}
	}
	return focus, nil
}

func (r *rig) ginkgo(job int, suite string) string {
	return filepath.Join(r.jobDirectory(job), suite+".json")
}
