// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import dev.holdfast.base.Problem;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.Position;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Value;
import dev.holdfast.config.files.Documents;
import dev.holdfast.config.files.YamlReader;
import dev.holdfast.controlplane.objects.httpproxy.Authorization;
import dev.holdfast.controlplane.objects.httpproxy.GlobalRateLimit;
import dev.holdfast.controlplane.objects.httpproxy.HeadersPolicy;
import dev.holdfast.controlplane.objects.httpproxy.Tls;
import dev.holdfast.controlplane.objects.read.DecodingContext;
import dev.holdfast.controlplane.objects.read.Fields;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The options in a YAML file, {@code holdfast.yaml}. What is not understood is refused, with its
 * place: an option that is misspelled must not count as not written. Paths are relative to the
 * file.
 */
public final class OptionsFile {
  private static final String INSECURE_SDS = "xds.insecureSds";
  private static final String VHDS = "xds.vhds";
  private static final String SCOUTS = "scouts.enabled";
  private static final String AUTHORIZATION = "traffic.authorization";
  private static final String DEFAULT_LIMIT = "traffic.rateLimit.defaultPolicy";

  /** Every option by its path. */
  private static final List<String> OPTIONS =
      List.of(
          "admin.address",
          "admin.certificate",
          "admin.clientCa",
          "admin.clientCrl",
          AdminAccessOption.IDENTITIES,
          "admin.key",
          "admin.token",
          "admin.tokenFile",
          AdminAccessOption.TOKENS,
          AuthorsOption.PATH,
          "fleet.expectedProxies",
          "http.address",
          "https.address",
          "ingressClass",
          "limits",
          "log.format",
          "log.level",
          "rollout.deletionBrake",
          "rollout.disagreement",
          "rootNamespaces",
          "scouts.bootstrap",
          SCOUTS,
          "scouts.envoys",
          "scouts.holds",
          "source.directory",
          "source.kubernetes.context",
          "source.kubernetes.kubeconfig",
          "source.kubernetes.namespaces",
          "source.kubernetes.publicAddress",
          "source.limits",
          "source.type",
          "state.etcd.ca",
          "state.etcd.certificate",
          "state.etcd.key",
          "state.etcd.userFile",
          "state.path",
          "trace.endpoint",
          AUTHORIZATION,
          "traffic.backendTls.clientCertificate",
          "traffic.backendTls.maximumVersion",
          "traffic.backendTls.minimumVersion",
          "traffic.compression",
          "traffic.externalNameServices",
          "traffic.fallbackCertificate",
          "traffic.ingressHeaders",
          "traffic.mergeSlashes",
          DEFAULT_LIMIT,
          "traffic.rateLimit.domain",
          "traffic.rateLimit.failOpen",
          "traffic.rateLimit.headers",
          "traffic.rateLimit.resourceExhausted",
          "traffic.rateLimit.service",
          "traffic.requestHeaders.remove",
          "traffic.requestHeaders.set",
          "traffic.responseHeaders.remove",
          "traffic.responseHeaders.set",
          "traffic.trustedHops",
          "xds.address",
          "xds.certificate",
          "xds.clientCa",
          "xds.clientCrl",
          IdentitiesOption.PATH,
          INSECURE_SDS,
          "xds.key",
          VHDS);

  /** Options that are flags, beside those of traffic. */
  private static final List<String> FLAGS = List.of(INSECURE_SDS, SCOUTS, VHDS);

  /** Options that are mappings. */
  private static final List<String> MAPPINGS =
      List.of(
          AUTHORIZATION,
          DEFAULT_LIMIT,
          "traffic.requestHeaders.set",
          "traffic.responseHeaders.set");

  private final Path file;
  private final List<LocatedProblem> problems = new ArrayList<>();
  private final Map<String, Scalar> values = new TreeMap<>();
  private final Map<String, Mapping> mappings = new TreeMap<>();
  private @Nullable Value identities;
  private @Nullable Value authors;
  private @Nullable Value adminTokens;
  private @Nullable Value adminIdentities;

  private final boolean readsToken;

  private OptionsFile(Path file, boolean readsToken) {
    this.file = file;
    this.readsToken = readsToken;
  }

  /**
   * @throws StartException if the file cannot be read or understood, with all that is wrong
   */
  public static PartialOptions read(Path file) throws StartException {
    return new OptionsFile(file, /* readsToken= */ true).options(content(file));
  }

  /** The same without the token, for those who may not know it. */
  static PartialOptions readWithoutToken(Path file) throws StartException {
    return new OptionsFile(file, /* readsToken= */ false).options(content(file));
  }

  /** Every key that a file may have, sorted; docs/serve.md and docs/kubernetes.md explain them. */
  public static List<String> keys() {
    return OPTIONS.stream().sorted().toList();
  }

  private static byte[] content(Path file) throws StartException {
    try {
      if (Files.size(file) > YamlReader.MOST_BYTES) {
        throw new StartException(file + ": too large (expected: a file with options)");
      }
      return Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      throw new StartException(file + ": no such file", e);
    } catch (IOException e) {
      throw new StartException(file + ": cannot be read: " + e.getMessage(), e);
    }
  }

  private PartialOptions options(byte[] content) throws StartException {
    Documents documents = YamlReader.read(file.toString(), content);
    problems.addAll(documents.problems());
    if (documents.documents().size() > 1) {
      problem(
          "", documents.documents().get(1).position(), "a second YAML document (expected: one)");
    } else if (!documents.documents().isEmpty()) {
      collect("", documents.documents().get(0));
    }
    PartialOptions options =
        new PartialOptions(
            take("source.directory", this::path),
            state(),
            xds(),
            admin(),
            take("http.address", ListenAddress::parse),
            take("https.address", ListenAddress::parse),
            take("ingressClass", OptionsFile::word),
            take("rollout.disagreement", DisagreementOption::parse),
            take("rollout.deletionBrake", BrakeOption::parse),
            take("source.limits", TreeLimitsOption::parse),
            new ClusterOptions(
                take("source.type", OptionsFile::isCluster),
                take("source.kubernetes.kubeconfig", this::path),
                take("source.kubernetes.context", OptionsFile::word),
                take("source.kubernetes.namespaces", ClusterOptions::names),
                take("source.kubernetes.publicAddress", ClusterOptions::address)),
            take("limits", LimitsOption::parse),
            traffic(),
            new LogOptions(
                take("log.format", LogOptions::format), take("log.level", LogOptions::levels)),
            new AuthorOptions(
                authors == null ? null : AuthorsOption.read(authors, this::problem), null),
            new ScoutOptions(
                take(SCOUTS, TrafficOptions::flag),
                take("scouts.envoys", text -> ScoutOptions.envoys(text, this::path)),
                take("scouts.bootstrap", this::path),
                take("scouts.holds", ScoutFinding::parse)),
            new MonitoringOptions(
                take("fleet.expectedProxies", MonitoringOptions::expectedProxies),
                take("trace.endpoint", MonitoringOptions::endpoint)));
    if (!problems.isEmpty()) {
      throw new StartException(
          problems.stream()
              .sorted((a, b) -> a.position().compareTo(b.position()))
              .map(LocatedProblem::toString)
              .collect(Collectors.joining("; ")));
    }
    return options;
  }

  private AdminOptions admin() throws StartException {
    AdminAccessOption access = new AdminAccessOption(this::problem);
    return new AdminOptions(
        take("admin.address", ListenAddress::parse),
        token(),
        take("admin.certificate", this::path),
        take("admin.key", this::path),
        take("admin.clientCa", this::path),
        take("admin.clientCrl", this::path),
        adminTokens == null ? null : access.tokens(adminTokens, this::path, readsToken),
        adminIdentities == null ? null : access.identities(adminIdentities));
  }

  private XdsOptions xds() {
    return new XdsOptions(
        take("xds.address", ListenAddress::parse),
        take("xds.certificate", this::path),
        take("xds.key", this::path),
        take("xds.clientCa", this::path),
        take("xds.clientCrl", this::path),
        identities == null ? null : IdentitiesOption.read(identities, this::problem),
        take(INSECURE_SDS, TrafficOptions::flag),
        take(VHDS, TrafficOptions::flag));
  }

  private @Nullable StateOptions state() {
    StateOptions state = take("state.path", text -> StateOptions.parse(text, this::path));
    try {
      return StateOptions.withCredentials(
          state,
          take("state.etcd.ca", this::path),
          take("state.etcd.certificate", this::path),
          take("state.etcd.key", this::path),
          take("state.etcd.userFile", this::path));
    } catch (IllegalArgumentException e) {
      problem("state.etcd", Position.of(file.toString()), String.valueOf(e.getMessage()));
      return state;
    }
  }

  private TrafficOptions traffic() {
    return new TrafficOptions(
        take("rootNamespaces", ClusterOptions::names),
        take("traffic.compression", TrafficOptions::compression),
        take("traffic.mergeSlashes", TrafficOptions::flag),
        take("traffic.trustedHops", TrafficOptions::hops),
        take("traffic.externalNameServices", TrafficOptions::flag),
        headers("traffic.requestHeaders"),
        headers("traffic.responseHeaders"),
        take("traffic.ingressHeaders", TrafficOptions::flag),
        new RateLimitOptions(
            take("traffic.rateLimit.service", RateLimitOptions::service),
            take("traffic.rateLimit.domain", OptionsFile::word),
            take("traffic.rateLimit.failOpen", TrafficOptions::flag),
            take("traffic.rateLimit.headers", TrafficOptions::flag),
            take("traffic.rateLimit.resourceExhausted", TrafficOptions::flag),
            fields(DEFAULT_LIMIT, GlobalRateLimit::decode)),
        tls(),
        fields(AUTHORIZATION, Authorization::forAll));
  }

  /** An option with fields, which are written as in an HTTPProxy. */
  private <T> @Nullable T fields(String path, Function<Fields, T> decoder) {
    Mapping written = mappings.get(path);
    if (written == null) {
      return null;
    }
    DecodingContext context = new DecodingContext();
    T value = context.read(written, decoder);
    for (LocatedProblem located : context.problems()) {
      Problem problem = located.problem();
      problem(path + "." + problem.path(), located.position(), problem.message());
    }
    return context.problems().isEmpty() ? value : null;
  }

  private TlsOptions tls() {
    Tls.Version minimum = take("traffic.backendTls.minimumVersion", TlsOptions::version);
    Tls.Version maximum =
        take(
            "traffic.backendTls.maximumVersion",
            text -> {
              Tls.Version version = TlsOptions.version(text);
              if (minimum != null && minimum.compareTo(version) > 0) {
                throw new IllegalArgumentException(
                    "'" + text + "' (expected: not below minimumVersion, " + minimum.word() + ")");
              }
              return version;
            });
    return new TlsOptions(
        take("traffic.fallbackCertificate", TlsOptions::secret),
        take("traffic.backendTls.clientCertificate", TlsOptions::secret),
        minimum,
        maximum);
  }

  private @Nullable HeadersPolicy headers(String path) {
    Mapping set = mappings.get(path + ".set");
    HeadersPolicy ofSet = set == null ? null : headers(path + ".set", set);
    HeadersPolicy ofRemove = take(path + ".remove", names -> TrafficOptions.headers(null, names));
    if (ofSet == null || ofRemove == null) {
      return ofSet == null ? ofRemove : ofSet;
    }
    return new HeadersPolicy(ofSet.set(), ofRemove.remove());
  }

  private @Nullable HeadersPolicy headers(String path, Mapping set) {
    Map<String, String> texts = new TreeMap<>();
    set.fields()
        .forEach(
            (name, value) -> {
              if (value instanceof Scalar scalar && scalar.value() instanceof String text) {
                texts.put(name, text);
              } else {
                problem(
                    path + "." + name,
                    value.position(),
                    "not a string (expected: a string; put it in quotes)");
              }
            });
    try {
      return TrafficOptions.headers(texts, null);
    } catch (IllegalArgumentException e) {
      problem(path, set.position(), String.valueOf(e.getMessage()));
      return null;
    }
  }

  /** Notes the options under a path, and everything there that is none. */
  private void collect(String path, Value value) {
    if (value instanceof Scalar scalar && scalar.value() == null) {
      return; // as good as not written
    }
    if (path.equals(IdentitiesOption.PATH)) {
      identities = value;
    } else if (path.equals(AdminAccessOption.TOKENS)) {
      adminTokens = value;
    } else if (path.equals(AdminAccessOption.IDENTITIES)) {
      adminIdentities = value;
    } else if (path.equals(AuthorsOption.PATH)) {
      authors = value;
    } else if (MAPPINGS.contains(path) && value instanceof Mapping mapping) {
      mappings.put(path, mapping);
    } else if (MAPPINGS.contains(path)) {
      problem(
          path,
          value.position(),
          path.equals(DEFAULT_LIMIT) || path.equals(AUTHORIZATION)
              ? "not a mapping (expected: fields)"
              : "not a mapping (expected: values by header)");
    } else if (OPTIONS.contains(path)) {
      if (value instanceof Scalar plain && isPlain(path, plain)) {
        values.put(path, new Scalar(String.valueOf(plain.value()), plain.position()));
      } else if (value instanceof Scalar scalar && scalar.value() instanceof String) {
        values.put(path, scalar);
      } else {
        problem(path, value.position(), "not a string (expected: a string; put it in quotes)");
      }
    } else if (value instanceof Mapping mapping) {
      mapping.fields().forEach((name, field) -> collect(path, name, field, mapping));
    } else {
      problem(path, value.position(), "not a mapping (expected: " + names(path) + ")");
    }
  }

  /** Numbers and flags of these options need no quotes: they have one meaning only. */
  private static boolean isPlain(String path, Scalar value) {
    return (path.startsWith("traffic.") || FLAGS.contains(path))
        && (value.value() instanceof Boolean || value.value() instanceof Number);
  }

  private void collect(String path, String name, Value field, Mapping mapping) {
    String inner = path.isEmpty() ? name : path + "." + name;
    boolean known = OPTIONS.stream().anyMatch(option -> (option + ".").startsWith(inner + "."));
    if (known) {
      collect(inner, field);
    } else {
      problem(inner, mapping.keyPosition(name), "unknown option (expected: " + names(path) + ")");
    }
  }

  /** What may stand under a path. */
  private static String names(String path) {
    String prefix = path.isEmpty() ? "" : path + ".";
    TreeSet<String> names = new TreeSet<>();
    for (String option : OPTIONS) {
      if (option.startsWith(prefix)) {
        names.add(option.substring(prefix.length()).split("\\.", 2)[0]);
      }
    }
    return (names.size() == 1 ? "" : "one of ") + String.join(", ", names);
  }

  private <T> @Nullable T take(String path, Function<String, T> reader) {
    Scalar value = values.get(path);
    if (value == null) {
      return null;
    }
    try {
      return reader.apply((String) value.value());
    } catch (IllegalArgumentException e) {
      problem(path, value.position(), String.valueOf(e.getMessage()));
      return null;
    }
  }

  private Path path(String text) {
    if (text.isEmpty() || text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("'" + text + "' (expected: a path)");
    }
    return file.resolveSibling(text);
  }

  private static boolean isCluster(String text) {
    if (!text.equals("directory") && !text.equals("kubernetes")) {
      throw new IllegalArgumentException("'" + text + "' (expected: directory or kubernetes)");
    }
    return text.equals("kubernetes");
  }

  private static String word(String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException("'" + text + "' (expected: a name)");
    }
    return text;
  }

  private @Nullable String token() throws StartException {
    Scalar fromFile = values.get("admin.tokenFile");
    if (fromFile != null && values.containsKey("admin.token")) {
      problem(
          "admin.tokenFile",
          fromFile.position(),
          "set together with admin.token (expected: only one of them)");
      return null;
    }
    Path tokenFile = take("admin.tokenFile", this::path);
    if (tokenFile != null) {
      return readsToken ? AdminToken.read(tokenFile) : null;
    }
    if (readsToken && values.containsKey("admin.token")) {
      AdminToken.checkReaders(file, "configuration file with a token");
    }
    return take(
        "admin.token",
        token -> {
          String problem = AdminToken.problem(token);
          if (problem != null) {
            throw new IllegalArgumentException(problem);
          }
          return token;
        });
  }

  private void problem(String path, Position position, String message) {
    problems.add(new LocatedProblem(new Problem(path, Problem.Kind.INVALID, message), position));
  }
}
