// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.index;

import static java.util.Objects.requireNonNull;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.authors.AuthorRules;
import dev.holdfast.controlplane.objects.httpproxy.Authorization;
import java.util.Collection;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What the operator decides for all objects. Settings never change while a control plane runs.
 *
 * @param ingressClasses the classes of the objects to translate; none for objects that name no
 *     class, or {@code holdfast} or {@code contour}
 * @param rootNamespaces where HTTPProxies may have hosts; none for everywhere
 * @param externalNames whether services may lead to names outside of the cluster
 * @param rateLimit the service that counts requests; null if there is none
 * @param fallbackCertificate the secret with the certificate for clients that name no host in TLS,
 *     or an unknown one; null if there is none
 * @param backendTls TLS between proxies and services
 * @param authorization the service that decides about the requests of every host of an HTTPProxy
 *     without a service of its own; null if there is none
 * @param authors what authors may write
 */
public record Settings(
    SortedSet<String> ingressClasses,
    SortedSet<String> rootNamespaces,
    boolean externalNames,
    HeaderDefaults headers,
    @Nullable RateLimitService rateLimit,
    @Nullable ObjectKey fallbackCertificate,
    BackendTls backendTls,
    @Nullable Authorization authorization,
    AuthorRules authors) {
  /** Objects of the default classes, and no more than what is safe for everybody. */
  public static final Settings DEFAULT =
      new Settings(
          Collections.emptySortedSet(),
          Collections.emptySortedSet(),
          /* externalNames= */ false,
          HeaderDefaults.NONE,
          null,
          null,
          BackendTls.DEFAULT,
          null,
          AuthorRules.NONE);

  public Settings {
    ingressClasses = Collections.unmodifiableSortedSet(new TreeSet<>(ingressClasses));
    rootNamespaces = Collections.unmodifiableSortedSet(new TreeSet<>(rootNamespaces));
    requireNonNull(headers, "headers");
    requireNonNull(backendTls, "backendTls");
    requireNonNull(authors, "authors");
  }

  /** A copy for other ingress classes. */
  public Settings forClasses(Collection<String> newClasses) {
    return new Settings(
        new TreeSet<>(newClasses),
        rootNamespaces,
        externalNames,
        headers,
        rateLimit,
        fallbackCertificate,
        backendTls,
        authorization,
        authors);
  }

  /** A copy with other namespaces for hosts. */
  public Settings withRootNamespaces(Collection<String> namespaces) {
    return new Settings(
        ingressClasses,
        new TreeSet<>(namespaces),
        externalNames,
        headers,
        rateLimit,
        fallbackCertificate,
        backendTls,
        authorization,
        authors);
  }

  /** A copy that allows, or forbids, services of type ExternalName. */
  public Settings withExternalNames(boolean allowed) {
    return new Settings(
        ingressClasses,
        rootNamespaces,
        allowed,
        headers,
        rateLimit,
        fallbackCertificate,
        backendTls,
        authorization,
        authors);
  }

  /** A copy with other changes of headers. */
  public Settings withHeaders(HeaderDefaults newHeaders) {
    return new Settings(
        ingressClasses,
        rootNamespaces,
        externalNames,
        newHeaders,
        rateLimit,
        fallbackCertificate,
        backendTls,
        authorization,
        authors);
  }

  /** A copy with another service that counts requests. */
  public Settings withRateLimit(@Nullable RateLimitService service) {
    return new Settings(
        ingressClasses,
        rootNamespaces,
        externalNames,
        headers,
        service,
        fallbackCertificate,
        backendTls,
        authorization,
        authors);
  }

  /** A copy with another certificate for clients that name no host, or an unknown one. */
  public Settings withFallbackCertificate(@Nullable ObjectKey secret) {
    return new Settings(
        ingressClasses,
        rootNamespaces,
        externalNames,
        headers,
        rateLimit,
        secret,
        backendTls,
        authorization,
        authors);
  }

  /** A copy with other TLS between proxies and services. */
  public Settings withBackendTls(BackendTls tls) {
    return new Settings(
        ingressClasses,
        rootNamespaces,
        externalNames,
        headers,
        rateLimit,
        fallbackCertificate,
        tls,
        authorization,
        authors);
  }

  /** A copy with another service that decides about the requests of every host. */
  public Settings withAuthorization(@Nullable Authorization service) {
    return new Settings(
        ingressClasses,
        rootNamespaces,
        externalNames,
        headers,
        rateLimit,
        fallbackCertificate,
        backendTls,
        service,
        authors);
  }

  /** A copy with other rules for authors. */
  public Settings withAuthors(AuthorRules rules) {
    return new Settings(
        ingressClasses,
        rootNamespaces,
        externalNames,
        headers,
        rateLimit,
        fallbackCertificate,
        backendTls,
        authorization,
        rules);
  }
}
