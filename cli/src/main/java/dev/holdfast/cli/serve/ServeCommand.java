// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.serve;

import dev.holdfast.cli.CommonOptions;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.Shell;
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
 * {@code holdfast serve}: the control plane. This class knows the options and no more, so that
 * other commands, which picocli builds it for too, start without the server's classes.
 */
@Command(
    name = "serve",
    header = "Serve the objects of a directory or a Kubernetes cluster to proxies.",
    customSynopsis = {
      "holdfast serve DIRECTORY [--config FILE] [--state PLACE]",
      "holdfast serve --kubernetes [--kubeconfig FILE] [--context NAME]",
      "                      [--namespace NAME]... [--public-address ADDRESS]",
      "                      [--xds-address HOST:PORT] [--admin-address HOST:PORT]",
      "                      [--xds-certificate FILE --xds-key FILE]",
      "                      [--xds-client-ca FILE [--xds-client-crl FILE]]",
      "                      [--admin-certificate FILE --admin-key FILE]",
      "                      [--admin-client-ca FILE [--admin-client-crl FILE]]",
      "                      [--http-address HOST:PORT] [--https-address HOST:PORT]",
      "                      [--disagreement uniform|per-class]",
      "                      [--scouts] [--scout-envoy PATH]... [--scout-bootstrap FILE]",
      "                      [--scout-holds FINDING,...]",
      "                      [--expected-proxies FLEET=N,...] [--trace-endpoint URL]",
      "                      [--deletion-brake SHARE%%,HOSTS|off]",
      "                      [--source-limits files=N,depth=N,bytes=N]",
      "                      [--limits NAME=N,...]"
    },
    description = {
      "%nReads the objects of a directory tree or of a Kubernetes cluster, watches them for changes, "
          + "and serves them to Envoy and gRPC applications over xDS. Prints one line when it is "
          + "ready, and stops on SIGTERM or SIGINT.%n",
      "Every option can also be set in the --config file; the command line takes precedence.%n"
    },
    footer = {
      "%nExamples:",
      "  holdfast serve examples/shop",
      "  holdfast serve --kubernetes --context staging",
      "  holdfast serve examples/shop --state etcd://127.0.0.1:2379/holdfast",
      "  holdfast serve --config /etc/holdfast/holdfast.yaml",
      "%nExit codes: 0 stopped on request, 1 could not start, 2 bad arguments."
    })
@SuppressWarnings("NullAway.Init") // picocli sets what it must before call()
public final class ServeCommand implements Callable<Integer> {
  private final Shell shell;

  @Spec CommandSpec spec;
  @Mixin CommonOptions common = new CommonOptions();

  @Parameters(
      arity = "0..1",
      paramLabel = "DIRECTORY",
      description = "The directory with the objects.")
  @Nullable Path directory;

  @Option(
      names = "--kubernetes",
      description =
          "Read the objects from a Kubernetes cluster, and write their status there: in a pod, the"
              + " pod's own cluster; elsewhere the one that kubectl would use.")
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
      names = "--public-address",
      paramLabel = "ADDRESS",
      description =
          "Where clients reach the proxies: IP addresses or host names, separated by commas, or"
              + " service:NAMESPACE/NAME for the addresses of that Service. Written to"
              + " status.loadBalancer of each HTTPProxy and Ingress. Default: nothing is written.")
  @Nullable String publicAddress;

  @Option(names = "--config", paramLabel = "FILE", description = "A YAML file with options.")
  @Nullable Path config;

  @Option(
      names = "--state",
      paramLabel = "PLACE",
      description =
          "The state, which survives restarts: a file, kubernetes:NAMESPACE/NAME for objects in the"
              + " cluster that is served, or etcd://HOST:PORT[,HOST:PORT...]/PREFIX for keys of an"
              + " etcd (etcds:// with TLS). In a cluster or an etcd, several servers elect a leader."
              + " Default: a file per served directory or cluster in the user's state directory.")
  @Nullable String state;

  @Option(
      names = "--etcd-ca",
      paramLabel = "FILE",
      description =
          "The certificates, PEM, that sign those of the etcd. Default: those that Java trusts.")
  @Nullable Path etcdCa;

  @Option(
      names = "--etcd-certificate",
      paramLabel = "FILE",
      description = "The certificate, PEM, that is shown to the etcd. Default: none.")
  @Nullable Path etcdCertificate;

  @Option(
      names = "--etcd-key",
      paramLabel = "FILE",
      description = "The key of that certificate, PEM.")
  @Nullable Path etcdKey;

  @Option(
      names = "--etcd-user-file",
      paramLabel = "FILE",
      description = "A file with one line, USER:PASSWORD, for the etcd. Default: no user.")
  @Nullable Path etcdUserFile;

  @Option(
      names = "--xds-address",
      paramLabel = "HOST:PORT",
      description = "The address that proxies connect to (xDS). Default: 127.0.0.1:18000.")
  @Nullable String xdsAddress;

  @Option(
      names = "--xds-certificate",
      paramLabel = "FILE",
      description =
          "The certificate, PEM, that is shown to proxies. A renewed file is used at once."
              + " Default: no TLS.")
  @Nullable Path xdsCertificate;

  @Option(
      names = "--xds-key",
      paramLabel = "FILE",
      description = "The key of that certificate, PEM.")
  @Nullable Path xdsKey;

  @Option(
      names = "--xds-client-ca",
      paramLabel = "FILE",
      description =
          "The certificates, PEM, that sign those of proxies and applications: who has none cannot"
              + " connect. Default: clients need no certificate.")
  @Nullable Path xdsClientCa;

  @Option(
      names = "--xds-client-crl",
      paramLabel = "FILE",
      description = "The lists, PEM, of certificates that the client CA has revoked.")
  @Nullable Path xdsClientCrl;

  @Option(
      names = "--insecure-sds",
      description =
          "Serve private keys on an xDS port without TLS that other machines can reach. Without"
              + " this, proxies there get no secrets.")
  boolean insecureSds;

  @Option(
      names = "--vhds",
      description =
          "Give each host without TLS to Envoys as a resource of its own (VHDS): an edit then sends"
              + " one host and not the table of all. For Envoys of version 1.37 or newer that use"
              + " Delta; all others get the table.")
  boolean vhds;

  @Option(
      names = "--admin-address",
      paramLabel = "HOST:PORT",
      description = "The address of the admin API and the web console. Default: 127.0.0.1:19000.")
  @Nullable String adminAddress;

  @Option(
      names = "--admin-certificate",
      paramLabel = "FILE",
      description =
          "The certificate of the admin port, PEM, with its chain: the port then uses TLS. It may"
              + " be replaced while the server runs.")
  @Nullable Path adminCertificate;

  @Option(
      names = "--admin-key",
      paramLabel = "FILE",
      description = "The key of that certificate, PEM.")
  @Nullable Path adminKey;

  @Option(
      names = "--admin-client-ca",
      paramLabel = "FILE",
      description =
          "The authorities, PEM, that sign the certificates of callers of the admin port. Without"
              + " such a certificate, nobody can connect.")
  @Nullable Path adminClientCa;

  @Option(
      names = "--admin-client-crl",
      paramLabel = "FILE",
      description = "Revocation lists of these authorities, PEM.")
  @Nullable Path adminClientCrl;

  @Option(
      names = "--admin-token-file",
      paramLabel = "FILE",
      description =
          "A file with the token that admin API requests must carry. Required if the admin address"
              + " is not a loopback address.")
  @Nullable Path adminTokenFile;

  @Option(
      names = "--http-address",
      paramLabel = "HOST:PORT",
      description = "The address that Envoys listen on for HTTP. Default: 0.0.0.0:8080.")
  @Nullable String httpAddress;

  @Option(
      names = "--https-address",
      paramLabel = "HOST:PORT",
      description = "The address that Envoys listen on for HTTPS. Default: 0.0.0.0:8443.")
  @Nullable String httpsAddress;

  @Option(
      names = "--ingress-class",
      paramLabel = "NAME",
      description =
          "Serve Ingresses and HTTPProxies of this class, or of these, separated by commas. Default:"
              + " holdfast, contour, and those without a class.")
  @Nullable String ingressClass;

  @Option(
      names = "--root-namespace",
      paramLabel = "NAME",
      description =
          "HTTPProxies of other namespaces may be included, but have no hosts; may be repeated."
              + " Default: all namespaces.")
  @Nullable List<String> rootNamespaces;

  @Option(
      names = "--disagreement",
      paramLabel = "WHAT",
      description =
          "How to treat a change that only some proxy classes reject: uniform holds it for all"
              + " classes, per-class only for those that reject it. Default: uniform.")
  @Nullable String disagreement;

  @Option(
      names = "--deletion-brake",
      paramLabel = "LIMITS",
      description =
          "Hold deletions that would remove more than this share of the served hosts, and more than"
              + " this many, until they are confirmed (holdfast confirm); off applies every deletion"
              + " at once. Default: 50%%,10.")
  @Nullable String deletionBrake;

  @Option(
      names = "--source-limits",
      paramLabel = "LIMITS",
      description =
          "How large the directory tree may be. A larger one is refused as a whole, and everything"
              + " stays as it was. Default: files=100000,depth=32,bytes=256Mi.")
  @Nullable String sourceLimits;

  @Option(
      names = "--limits",
      paramLabel = "LIMITS",
      description =
          "What those who connect may use up, such as names=20000,streamsPerPeer=2000. The limits"
              + " that are not given keep their defaults; docs/serve.md lists all.")
  @Nullable String limits;

  @Option(
      names = "--log-format",
      paramLabel = "FORMAT",
      description =
          "How the log on standard error is written: text, or json with the object, node and"
              + " incident of each line as fields. Default: text.")
  @Nullable String logFormat;

  @Option(
      names = "--log-level",
      paramLabel = "LEVELS",
      description =
          "Which lines are written: debug, info, warn, error or off, and others for single areas,"
              + " such as info,proxies=debug. Areas: admin, leader, objects, proxies, rollout,"
              + " server, source, state. Default: info.")
  @Nullable String logLevel;

  @Option(
      names = "--compression",
      paramLabel = "WHAT",
      description =
          "How Envoys compress responses for clients that accept it: gzip, brotli, zstd or disabled."
              + " Default: gzip.")
  @Nullable String compression;

  @Option(
      names = "--disable-merge-slashes",
      description = "Several slashes in a row in a path do not count as one.")
  boolean disableMergeSlashes;

  @Option(
      names = "--trusted-hops",
      paramLabel = "NUMBER",
      description =
          "How many proxies in front of the Envoys are trusted to name the client in"
              + " X-Forwarded-For. Default: 0.")
  @Nullable String trustedHops;

  @Option(
      names = "--extension-code",
      paramLabel = "lua,wasm,native",
      description =
          "The code that ExtensionPolicies may run in the proxies. It can read files of their"
              + " machines. Default: none.")
  @Nullable String extensionCode;

  @Option(
      names = "--scouts",
      description =
          "Run Envoys of this server's own that serve nobody, and try every change on them first,"
              + " with requests, too.")
  boolean scouts;

  @Option(
      names = "--scout-envoy",
      paramLabel = "PATH",
      description =
          "The program of such an Envoy, which implies --scouts; may be repeated, once for each"
              + " version that the proxies have. Default: $ENVOY, else the envoy on the PATH.")
  @Nullable List<Path> scoutEnvoys;

  @Option(
      names = "--scout-bootstrap",
      paramLabel = "FILE",
      description =
          "The bootstrap of the proxies: scouts have its holdfast_group and the settings that"
              + " decide what is rejected. Default: what 'holdfast bootstrap envoy' prints.")
  @Nullable Path scoutBootstrap;

  @Option(
      names = "--scout-holds",
      paramLabel = "FINDING,...",
      description =
          "What holds a change that a scout has accepted: failed, not-in-use, shadowed, or none."
              + " What is not listed is only logged. Default: failed,not-in-use.")
  @Nullable String scoutHolds;

  @Option(
      names = "--expected-proxies",
      paramLabel = "FLEET=N,...",
      description =
          "How many proxies there should be, by the cluster in their node; all is for all"
              + " together. get proxies, the console, metrics and alerts tell when some are"
              + " missing.")
  @Nullable String expectedProxies;

  @Option(
      names = "--trace-endpoint",
      paramLabel = "URL",
      description =
          "A collector that takes OTLP over HTTP: each change of an object becomes a trace.")
  @Nullable String traceEndpoint;

  @Option(
      names = "--external-name-services",
      description =
          "Serve Services of type ExternalName. Authors can then send requests to any name that the"
              + " Envoys can reach.")
  boolean externalNameServices;

  @Option(
      names = "--rate-limit-service",
      paramLabel = "NAMESPACE/NAME",
      description =
          "The ExtensionService that counts requests for rateLimitPolicy.global."
              + " docs/serve.md has its other settings.")
  @Nullable String rateLimitService;

  @Option(
      names = "--fallback-certificate",
      paramLabel = "NAMESPACE/NAME",
      description =
          "The Secret with the certificate for clients that name no host in TLS, or an unknown one,"
              + " for HTTPProxies with enableFallbackCertificate.")
  @Nullable String fallbackCertificate;

  @Option(
      names = "--client-certificate",
      paramLabel = "NAMESPACE/NAME",
      description = "The Secret with the certificate that Envoys show to services with TLS.")
  @Nullable String clientCertificate;

  public ServeCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() {
    if (directory == null && config == null && !kubernetes) {
      throw bad(
          "no directory given (expected: DIRECTORY, --kubernetes, or --config FILE that sets one)");
    }
    new ServeRun(shell, this).run();
    return ExitCode.OK;
  }

  ParameterException bad(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
