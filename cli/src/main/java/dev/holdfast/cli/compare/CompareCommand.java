// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.compare;

import dev.holdfast.cli.CommonOptions;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.client.OutputOption;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code holdfast compare}: our translation beside another server's. This class knows the options
 * and no more, so that other commands start without the classes of xDS.
 */
@Command(
    name = "compare",
    header = "Compare what Holdfast would serve with what another xDS server serves.",
    customSynopsis = {
      "holdfast compare --with HOST:PORT DIRECTORY [--node ID] [--ca FILE]",
      "                        [--certificate FILE --key FILE] [--all] [-o table|json|yaml]",
      "holdfast compare --with HOST:PORT --kubernetes [--kubeconfig FILE] [--context NAME]",
      "                        [--namespace NAME]... [--ingress-class NAME]"
    },
    description = {
      "%nTranslates the objects of a directory or of a Kubernetes cluster, fetches the resources of "
          + "a running Contour or of any other xDS server, and compares host by host: routes with "
          + "their actions, timeouts, retries and headers, clusters with their endpoints and TLS, "
          + "and certificates. Names of resources do not matter.%n",
      "Nothing is changed on either side, and no proxy is involved.%n"
    },
    footer = {
      "%nExamples:",
      "  holdfast compare --with localhost:8001 --kubernetes --ca ca.crt --certificate tls.crt"
          + " --key tls.key",
      "  holdfast compare --with localhost:18000 examples/shop -o json",
      "%nExit codes: 0 equal, 1 could not compare, 2 bad arguments, 5 different."
    })
@SuppressWarnings("NullAway.Init") // picocli sets what it must before call()
public final class CompareCommand implements Callable<Integer> {
  private final Shell shell;

  @Spec CommandSpec spec;
  @Mixin CommonOptions common = new CommonOptions();
  @Mixin OutputOption output = new OutputOption();

  @Parameters(
      arity = "0..1",
      paramLabel = "DIRECTORY",
      description = "The directory with the objects.")
  @Nullable Path directory;

  @Option(
      names = "--with",
      required = true,
      paramLabel = "HOST:PORT",
      description = "The xDS port of the other server.")
  String with;

  @Option(
      names = "--node",
      paramLabel = "ID",
      description = "The node id to ask with. Default: ${DEFAULT-VALUE}.")
  String node = "holdfast-compare";

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      description = "Use TLS, and trust the certificates that these (PEM) have signed.")
  @Nullable Path ca;

  @Option(
      names = "--certificate",
      paramLabel = "FILE",
      description = "The certificate (PEM) to show to the other server.")
  @Nullable Path certificate;

  @Option(names = "--key", paramLabel = "FILE", description = "The key of that certificate (PEM).")
  @Nullable Path key;

  @Option(
      names = "--server-name",
      paramLabel = "NAME",
      description =
          "The name that the other server's certificate must have, if it is not the host: for"
              + " Contour through a port-forward, contour.")
  @Nullable String serverName;

  @Option(names = "--kubernetes", description = "Read the objects from a Kubernetes cluster.")
  boolean kubernetes;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "How to reach the cluster. Default: KUBECONFIG, else ~/.kube/config.")
  @Nullable Path kubeconfig;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description = "A context of the kubeconfig. Default: the current one.")
  @Nullable String context;

  @Option(
      names = "--namespace",
      paramLabel = "NAME",
      description = "Read this namespace only; may be repeated. Default: all namespaces.")
  @Nullable List<String> namespaces;

  @Option(
      names = "--ingress-class",
      paramLabel = "NAME",
      description =
          "Translate Ingresses and HTTPProxies of this class, or of these, separated by commas."
              + " Default: holdfast, contour, and those without a class.")
  @Nullable String ingressClass;

  @Option(names = "--all", description = "Also list what is equal.")
  boolean all;

  public CompareCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() {
    common.apply();
    if ((directory == null) != kubernetes) {
      throw bad(
          directory == null
              ? "no objects given (expected: DIRECTORY or --kubernetes)"
              : directory + " together with --kubernetes (expected: one of them)");
    }
    if ((certificate == null) != (key == null)) {
      throw bad("--certificate and --key (expected: both, or neither)");
    }
    return new CompareRun(shell, this).run();
  }

  ParameterException bad(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
