// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.fleet;

/**
 * Proxies that get each host as a resource of its own are asked about other resources than the rest
 * of their class, and so are a class apart. What is known of one form of a class is known of the
 * other.
 */
public final class ClassForm {
  /** The end of a class; two words, which are never both of a label. */
  private static final String WITH_HOSTS = " via vhds";

  private ClassForm() {}

  /** The class of proxies that get each host as a resource of its own. */
  public static String withHosts(String proxyClass) {
    return proxyClass + WITH_HOSTS;
  }

  /** The class of the same proxies when they get hosts in the other form. */
  public static String other(String proxyClass) {
    return proxyClass.endsWith(WITH_HOSTS)
        ? proxyClass.substring(0, proxyClass.length() - WITH_HOSTS.length())
        : withHosts(proxyClass);
  }
}
