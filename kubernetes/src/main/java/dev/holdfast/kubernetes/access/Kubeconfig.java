// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.kubernetes.access;

import dev.holdfast.config.Mapping;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Value;
import dev.holdfast.config.files.Documents;
import dev.holdfast.config.files.YamlReader;
import dev.holdfast.kubernetes.api.Json;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The files that kubectl reads. Of several, the first that has an entry of some name counts, as
 * kubectl has it. Paths in a file are relative to it.
 */
public final class Kubeconfig {
  /** One file. */
  private record Part(Path file, Mapping content) {}

  /** A named entry, and the file it stands in. */
  private record Entry(Path file, String name, Mapping fields) {
    String string(String field) {
      return Json.string(fields, field);
    }

    AccessException problem(String field, String message) {
      return new AccessException(file + ": " + name + ": " + field + ": " + message);
    }

    /** What a field holds as base64, or another one names as a file; null if neither is set. */
    byte @Nullable [] bytes(String field) throws AccessException {
      String data = string(field + "-data");
      if (!data.isEmpty()) {
        try {
          return Base64.getMimeDecoder().decode(data);
        } catch (IllegalArgumentException e) {
          throw problem(field + "-data", "not base64");
        }
      }
      String path = string(field);
      if (path.isEmpty()) {
        return null;
      }
      try {
        return Files.readAllBytes(file.resolveSibling(path));
      } catch (IOException e) {
        throw problem(field, file.resolveSibling(path) + " cannot be read");
      }
    }
  }

  private final List<Part> parts;

  private Kubeconfig(List<Part> parts) {
    this.parts = parts;
  }

  /**
   * The files that the environment names: {@code KUBECONFIG}, else {@code ~/.kube/config}.
   *
   * @param home the directory of the user
   */
  public static List<Path> files(Map<String, String> environment, Path home) {
    String named = environment.getOrDefault("KUBECONFIG", "");
    List<Path> files = new ArrayList<>();
    for (String file : named.split(Pattern.quote(File.pathSeparator), -1)) {
      if (!file.isBlank()) {
        files.add(Path.of(file));
      }
    }
    return files.isEmpty() ? List.of(home.resolve(".kube").resolve("config")) : files;
  }

  /**
   * @param context the name of a context; null for the current one
   */
  public static ClusterAccess read(List<Path> files, @Nullable String context)
      throws AccessException {
    List<Part> parts = new ArrayList<>();
    for (Path file : files) {
      if (files.size() == 1 || Files.exists(file)) {
        parts.add(new Part(file, content(file)));
      }
    }
    if (parts.isEmpty()) {
      throw new AccessException("kubeconfig: none of these exists: " + files);
    }
    return new Kubeconfig(parts).access(context);
  }

  private static Mapping content(Path file) throws AccessException {
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(file);
    } catch (IOException e) {
      throw new AccessException(
          file + ": cannot be read (expected: a kubeconfig file; see --kubeconfig)", e);
    }
    Documents documents = YamlReader.read(file.toString(), bytes);
    if (!documents.problems().isEmpty()) {
      throw new AccessException(documents.problems().get(0).toString());
    }
    if (documents.documents().isEmpty()
        || !(documents.documents().get(0) instanceof Mapping content)) {
      throw new AccessException(file + ": empty (expected: a kubeconfig file)");
    }
    return content;
  }

  private ClusterAccess access(@Nullable String wanted) throws AccessException {
    String name = wanted == null ? currentContext() : wanted;
    Entry context = entry("contexts", "context", name);
    Entry cluster = entry("clusters", "cluster", context.string("cluster"));
    String userName = context.string("user");
    Entry user =
        userName.isEmpty()
            ? new Entry(context.file(), "user", Json.mapping(context.fields(), "none"))
            : entry("users", "user", userName);
    return new ClusterAccess(server(cluster), tls(cluster, user), token(user));
  }

  private String currentContext() throws AccessException {
    for (Part part : parts) {
      String name = Json.string(part.content(), "current-context");
      if (!name.isEmpty()) {
        return name;
      }
    }
    throw new AccessException(
        parts.get(0).file() + ": current-context: not set (expected: a context, or --context)");
  }

  private Entry entry(String list, String field, String name) throws AccessException {
    TreeSet<String> names = new TreeSet<>();
    for (Part part : parts) {
      for (Value element : Json.elements(part.content(), list)) {
        if (element instanceof Mapping item) {
          String found = Json.string(item, "name");
          if (found.equals(name)) {
            return new Entry(part.file(), field + " " + name, Json.mapping(item, field));
          }
          names.add(found);
        }
      }
    }
    throw new AccessException(
        parts.get(0).file()
            + ": "
            + list
            + ": no "
            + field
            + " '"
            + name
            + "' (expected: one of "
            + String.join(", ", names)
            + ")");
  }

  private static URI server(Entry cluster) throws AccessException {
    String server = cluster.string("server");
    try {
      URI uri = URI.create(server);
      if (uri.getHost() != null
          && ("https".equals(uri.getScheme()) || "http".equals(uri.getScheme()))) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      throw cluster.problem("server", "'" + server + "' (expected: an https address)");
    }
    throw cluster.problem("server", "'" + server + "' (expected: an https address)");
  }

  private static @Nullable SSLContext tls(Entry cluster, Entry user) throws AccessException {
    boolean trustAnyone =
        cluster.fields().get("insecure-skip-tls-verify") instanceof Scalar scalar
            && Boolean.TRUE.equals(scalar.value());
    return new TlsSettings(
            cluster.bytes("certificate-authority"),
            trustAnyone,
            user.bytes("client-certificate"),
            user.bytes("client-key"))
        .context();
  }

  private static ClusterAccess.Token token(Entry user) throws AccessException {
    for (String unsupported : List.of("exec", "auth-provider", "username")) {
      if (user.fields().get(unsupported) != null) {
        throw user.problem(
            unsupported,
            "not supported (expected: token, tokenFile, or client-certificate and client-key;"
                + " kubectl create token makes a token)");
      }
    }
    String file = user.string("tokenFile");
    if (!file.isEmpty()) {
      return new TokenFile(user.file().resolveSibling(file));
    }
    String token = user.string("token");
    return () -> token;
  }
}
