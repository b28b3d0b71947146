// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What kind of Envoy a {@link FakeEnvoy} is. Proxies that differ in version, extensions or
 * validators are of different classes.
 *
 * @param nodeId who it is
 * @param delta whether it speaks the incremental protocol
 * @param version its version, such as {@code 1.39.0}
 * @param group the value of {@code holdfast_group} in its metadata
 * @param extensions type URLs that it lists as built in
 * @param validators what it rejects
 * @param staticNames clusters and listeners of its bootstrap, which xDS cannot change
 * @param initialFetchTimeout how long it waits for the first CDS and LDS
 * @param retryDelay how long it waits before it opens the next stream
 */
public record EnvoyOptions(
    String nodeId,
    boolean delta,
    String version,
    String group,
    Set<String> extensions,
    List<Validator> validators,
    Set<String> staticNames,
    Duration initialFetchTimeout,
    Duration retryDelay) {

  public EnvoyOptions {
    extensions = Collections.unmodifiableSet(new TreeSet<>(extensions));
    validators = List.copyOf(validators);
    staticNames = Collections.unmodifiableSet(new TreeSet<>(staticNames));
  }

  /** State of the world, with the usual validators. */
  public static EnvoyOptions sotw(String nodeId) {
    return new EnvoyOptions(
        nodeId,
        false,
        "1.39.0",
        "a",
        EnvoyNode.EXTENSIONS,
        Validators.standard(),
        Set.of("xds_cluster"),
        Duration.ofSeconds(15),
        Duration.ofMillis(500));
  }

  /** Increments, with the usual validators. */
  public static EnvoyOptions delta(String nodeId) {
    EnvoyOptions o = sotw(nodeId);
    return new EnvoyOptions(
        nodeId,
        true,
        o.version,
        o.group,
        o.extensions,
        o.validators,
        o.staticNames,
        o.initialFetchTimeout,
        o.retryDelay);
  }

  public EnvoyOptions withVersion(String value) {
    return new EnvoyOptions(
        nodeId,
        delta,
        value,
        group,
        extensions,
        validators,
        staticNames,
        initialFetchTimeout,
        retryDelay);
  }

  public EnvoyOptions withGroup(String value) {
    return new EnvoyOptions(
        nodeId,
        delta,
        version,
        value,
        extensions,
        validators,
        staticNames,
        initialFetchTimeout,
        retryDelay);
  }

  public EnvoyOptions withExtensions(Set<String> typeUrls) {
    return new EnvoyOptions(
        nodeId,
        delta,
        version,
        group,
        typeUrls,
        validators,
        staticNames,
        initialFetchTimeout,
        retryDelay);
  }

  /** Rejects more. */
  public EnvoyOptions withValidator(Validator validator) {
    List<Validator> more = new ArrayList<>(validators);
    more.add(validator);
    return withValidators(more);
  }

  /** Rejects only what these say, besides what the protocol and the constraints of the API do. */
  public EnvoyOptions withValidators(List<Validator> only) {
    return new EnvoyOptions(
        nodeId,
        delta,
        version,
        group,
        extensions,
        only,
        staticNames,
        initialFetchTimeout,
        retryDelay);
  }

  public EnvoyOptions withStaticNames(Set<String> names) {
    return new EnvoyOptions(
        nodeId,
        delta,
        version,
        group,
        extensions,
        validators,
        names,
        initialFetchTimeout,
        retryDelay);
  }

  public EnvoyOptions withTimes(Duration firstFetchTimeout, Duration retry) {
    return new EnvoyOptions(
        nodeId,
        delta,
        version,
        group,
        extensions,
        validators,
        staticNames,
        firstFetchTimeout,
        retry);
  }
}
