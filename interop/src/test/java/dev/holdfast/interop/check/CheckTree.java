// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.check;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files of objects, of which some are bad. */
final class CheckTree {
  static final String DEADLY = "os.exit(1)";
  static final String HANGING = "while true do end";
  static final String GOOD = "function envoy_on_response(handle) end";

  private final Path directory;

  CheckTree(Path directory) {
    this.directory = directory;
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path directory() {
    return directory;
  }

  CheckTree write(String file, String text) {
    try {
      Files.writeString(directory.resolve(file), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  /** Hosts {@code h0}, {@code h1} and so on, and ten services: so many objects. */
  CheckTree hosts(int objects) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 10; i++) {
      text.append(
          """
          apiVersion: v1
          kind: Service
          metadata: {name: s%d}
          spec: {ports: [{name: http, port: 80}]}
          ---
          """
              .formatted(i));
    }
    for (int i = 0; i < objects - 10; i++) {
      text.append(host("h" + i, "/", "s" + i % 10)).append("---\n");
    }
    return write("hosts.yaml", text.toString());
  }

  static String host(String name, String prefix, String service) {
    return """
        apiVersion: projectcontour.io/v1
        kind: HTTPProxy
        metadata: {name: %s}
        spec:
          virtualhost: {fqdn: %s.example.com}
          routes:
          - conditions: [{prefix: %s}]
            services: [{name: %s, port: 80}]
        """
        .formatted(name, name, prefix, service);
  }

  /** A script for the routes of a host. */
  CheckTree script(String name, String host, String lua) {
    return write(
        name + ".yaml",
        """
        apiVersion: holdfast.dev/v1alpha1
        kind: ExtensionPolicy
        metadata: {name: %s}
        spec:
          targetRef: {name: %s}
          perRoute:
          - name: envoy.filters.http.lua
            typedConfig:
              "@type": type.googleapis.com/envoy.extensions.filters.http.lua.v3.LuaPerRoute
              source_code: {inline_string: "%s"}
        """
            .formatted(name, host, lua));
  }

  /** What Envoy 1.36 refuses, and 1.39 does not. */
  CheckTree newCommand(String name, String host) {
    return write(
        name + ".yaml",
        """
        apiVersion: holdfast.dev/v1alpha1
        kind: ExtensionPolicy
        metadata: {name: %s}
        spec:
          targetRef: {name: %s}
          perRoute:
          - name: envoy.filters.http.header_mutation
            typedConfig:
              "@type": type.googleapis.com/envoy.extensions.filters.http.header_mutation.v3.HeaderMutationPerRoute
              mutations:
                response_mutations:
                - append: {header: {key: x-span, value: "%%SPAN_ID%%"}}
        """
            .formatted(name, host));
  }

  /** What Envoy accepts, and dies of with the first request. */
  CheckTree emptyAuthorization(String name, String host) {
    return write(
        name + ".yaml",
        """
        apiVersion: holdfast.dev/v1alpha1
        kind: ExtensionPolicy
        metadata: {name: %s}
        spec:
          targetRef: {name: %s}
          httpFilters:
          - name: authz
            typedConfig:
              "@type": type.googleapis.com/envoy.extensions.filters.http.ext_authz.v3.ExtAuthz
        """
            .formatted(name, host));
  }
}
