// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.security;

import dev.holdfast.base.Env;
import dev.holdfast.base.Problems;
import dev.holdfast.grpc.bootstrap.XdsBootstrap;
import dev.holdfast.grpc.tls.CertificateFiles;
import dev.holdfast.grpc.tls.TlsSettings;
import io.grpc.Status;
import io.grpc.StatusOr;
import java.util.HashMap;
import java.util.Map;

/**
 * The certificate providers of a bootstrap, each opened when a cluster names it for the first time.
 * One that cannot be used fails the clusters that name it, and no others. Thread-safe.
 */
final class CertificateProviders implements AutoCloseable {
  private static final String FILE_WATCHER = "file_watcher";

  /** gRFC A87. */
  private static final String SPIFFE_BUNDLES = "spiffe_trust_bundle_map_file";

  private final Map<String, XdsBootstrap.CertificateProvider> configured;
  private final Env env;

  // Guarded by this.
  private final Map<String, StatusOr<CertificateFiles>> opened = new HashMap<>();
  private boolean closed;

  CertificateProviders(Map<String, XdsBootstrap.CertificateProvider> configured, Env env) {
    this.configured = Map.copyOf(configured);
    this.env = env;
  }

  /** The provider of that name, or why it is of no use. */
  synchronized StatusOr<CertificateFiles> get(String name) {
    StatusOr<CertificateFiles> known = opened.get(name);
    if (known == null) {
      known = closed ? unusable(name, "closed") : open(name);
      opened.put(name, known);
    }
    return known;
  }

  private StatusOr<CertificateFiles> open(String name) {
    XdsBootstrap.CertificateProvider provider = configured.get(name);
    if (provider == null) {
      return unusable(name, "not in the bootstrap (expected: one of certificate_providers)");
    }
    if (!provider.pluginName().equals(FILE_WATCHER)) {
      return unusable(
          name, "plugin \"" + provider.pluginName() + "\" (expected: " + FILE_WATCHER + ")");
    }
    if (provider.config().containsKey(SPIFFE_BUNDLES)) {
      // Where it is known, it goes before the other roots: to ignore it would trust more.
      return unusable(
          name, "config: " + SPIFFE_BUNDLES + ": not supported (expected: ca_certificate_file)");
    }
    Problems problems = new Problems();
    TlsSettings settings = TlsSettings.parse(provider.config(), problems);
    return problems.any()
        ? unusable(name, "config: " + Problems.describe(problems.list()))
        : StatusOr.fromValue(CertificateFiles.open(settings, env));
  }

  static <T> StatusOr<T> unusable(String name, String why) {
    return StatusOr.fromStatus(Status.UNAVAILABLE.withDescription(describe(name) + ": " + why));
  }

  static String describe(String name) {
    return "certificate provider \"" + name + "\"";
  }

  @Override
  public synchronized void close() {
    closed = true;
    for (StatusOr<CertificateFiles> files : opened.values()) {
      if (files.hasValue()) {
        files.getValue().close();
      }
    }
  }
}
