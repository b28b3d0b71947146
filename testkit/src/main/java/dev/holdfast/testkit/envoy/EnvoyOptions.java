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
 * validators are of different classes. Immutable; every {@code with} makes a copy.
 */
public final class EnvoyOptions {
  private final String nodeId;
  private final boolean delta;
  private String version = "1.39.0";
  private String group = "a";
  private String role = "";
  private Set<String> extensions = EnvoyNode.EXTENSIONS;
  private List<Validator> validators = Validators.standard();
  private Set<String> staticNames = Set.of("xds_cluster");
  private Duration initialFetchTimeout = Duration.ofSeconds(15);
  private Duration retryDelay = Duration.ofMillis(500);

  private EnvoyOptions(String nodeId, boolean delta) {
    this.nodeId = nodeId;
    this.delta = delta;
  }

  private EnvoyOptions(EnvoyOptions other) {
    nodeId = other.nodeId;
    delta = other.delta;
    version = other.version;
    group = other.group;
    role = other.role;
    extensions = other.extensions;
    validators = other.validators;
    staticNames = other.staticNames;
    initialFetchTimeout = other.initialFetchTimeout;
    retryDelay = other.retryDelay;
  }

  /** State of the world, with the usual validators. */
  public static EnvoyOptions sotw(String nodeId) {
    return new EnvoyOptions(nodeId, false);
  }

  /** Increments, with the usual validators. */
  public static EnvoyOptions delta(String nodeId) {
    return new EnvoyOptions(nodeId, true);
  }

  /** Such as {@code 1.39.0}. */
  public EnvoyOptions withVersion(String value) {
    EnvoyOptions copy = new EnvoyOptions(this);
    copy.version = value;
    return copy;
  }

  /** The value of {@code holdfast_group} in the node's metadata. */
  public EnvoyOptions withGroup(String value) {
    EnvoyOptions copy = new EnvoyOptions(this);
    copy.group = value;
    return copy;
  }

  /** The value of {@code holdfast_role} in the node's metadata. */
  public EnvoyOptions withRole(String value) {
    EnvoyOptions copy = new EnvoyOptions(this);
    copy.role = value;
    return copy;
  }

  /** Types that the node lists as built in. To reject others, see {@link Validators#filters}. */
  public EnvoyOptions withExtensions(Set<String> types) {
    EnvoyOptions copy = new EnvoyOptions(this);
    copy.extensions = Collections.unmodifiableSet(new TreeSet<>(types));
    return copy;
  }

  /** Rejects more. */
  public EnvoyOptions withValidator(Validator validator) {
    List<Validator> more = new ArrayList<>(validators);
    more.add(validator);
    return withValidators(more);
  }

  /** Rejects only what these say, besides what the protocol and the constraints of the API do. */
  public EnvoyOptions withValidators(List<Validator> only) {
    EnvoyOptions copy = new EnvoyOptions(this);
    copy.validators = List.copyOf(only);
    return copy;
  }

  /** Clusters and listeners of the bootstrap, which xDS cannot change. */
  public EnvoyOptions withStaticNames(Set<String> names) {
    EnvoyOptions copy = new EnvoyOptions(this);
    copy.staticNames = Collections.unmodifiableSet(new TreeSet<>(names));
    return copy;
  }

  /** How long to wait for the first CDS and LDS, and before opening the next stream. */
  public EnvoyOptions withTimes(Duration firstFetchTimeout, Duration retry) {
    EnvoyOptions copy = new EnvoyOptions(this);
    copy.initialFetchTimeout = firstFetchTimeout;
    copy.retryDelay = retry;
    return copy;
  }

  public String nodeId() {
    return nodeId;
  }

  public boolean delta() {
    return delta;
  }

  public String version() {
    return version;
  }

  public String group() {
    return group;
  }

  public String role() {
    return role;
  }

  public Set<String> extensions() {
    return extensions;
  }

  public List<Validator> validators() {
    return validators;
  }

  public Set<String> staticNames() {
    return staticNames;
  }

  public Duration initialFetchTimeout() {
    return initialFetchTimeout;
  }

  public Duration retryDelay() {
    return retryDelay;
  }
}
