// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.fleet;

import dev.holdfast.base.PersistentMap;
import dev.holdfast.controlplane.snapshot.Digests;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Proof against one object: proxies of a class accepted a selection, and refused it with this
 * object's contribution to a resource added. If other new contributions were added with it, such as
 * the host that a new policy guards, it is proof only where these are there again: the mistake may
 * be in them, and the same contribution may be good later.
 *
 * @param part the digest of the object's contribution, followed by those of the others that came
 *     with it, separated by blanks; empty if the object contributed nothing to the resource
 * @param message the proxy's error text, sanitised
 */
public record Evidence(
    String proxyClass, String agent, ResourceId resource, String part, String message, Instant at) {

  /** What was refused, as it stands in {@link #part}. */
  public static String part(String digest, Collection<String> others) {
    return others.isEmpty() ? digest : digest + " " + String.join(" ", new TreeSet<>(others));
  }

  private static final String DIED = "died:";
  private static final String HUNG = "hung:";

  /** The part of evidence that is against all contributions of an object together. */
  public static String lost(PersistentMap<ResourceId, String> footprint, boolean isSilence) {
    List<String> all = new ArrayList<>();
    for (Map.Entry<ResourceId, String> entry : footprint) {
      all.add(entry.getKey().toString());
      all.add(entry.getValue());
    }
    return (isSilence ? HUNG : DIED) + Digests.of(all);
  }

  /** Whether proxies were lost instead of refusing something. */
  public boolean isLoss() {
    return part.startsWith(DIED) || part.startsWith(HUNG);
  }

  /** Whether proxies did not answer any more. */
  public boolean isSilence() {
    return part.startsWith(HUNG);
  }

  /** The digest of the object's contribution; empty if there was none. */
  public String digest() {
    return parts().get(0);
  }

  /** Whether nothing else was new in the resource that was refused. */
  public boolean isAgainstOneAlone() {
    return !part.isEmpty() && parts().size() == 1;
  }

  /** Whether a resource has all the contributions that were refused. */
  public boolean appliesTo(Resource refused) {
    Set<String> missing = new HashSet<>(parts());
    refused.contributions().forEach((key, digest) -> missing.remove(digest));
    return missing.isEmpty();
  }

  private List<String> parts() {
    return List.of(part.split(" ", -1));
  }
}
