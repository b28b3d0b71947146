// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.fleet;

import dev.holdfast.base.PersistentMap;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.Value;
import dev.holdfast.controlplane.objects.extension.ExtensionPolicy;
import dev.holdfast.controlplane.snapshot.Digests;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
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
 * @param judges the nodes that were asked, if they were too few to be sure: one alone, or two that
 *     disagree, of which the first refused. Empty if two agreed
 */
public record Evidence(
    String proxyClass,
    String agent,
    ResourceId resource,
    String part,
    String message,
    Instant at,
    List<String> judges) {
  public Evidence {
    judges = List.copyOf(judges);
  }

  /** Evidence that two proxies of the class agree about. */
  public Evidence(
      String proxyClass,
      String agent,
      ResourceId resource,
      String part,
      String message,
      Instant at) {
    this(proxyClass, agent, resource, part, message, at, List.of());
  }

  /** Whether two proxies disagree, and there was no third one to ask. */
  public boolean isDisputed() {
    return judges.size() > 1;
  }

  /** What was refused, as it stands in {@link #part}. */
  public static String part(String digest, Collection<String> others) {
    return others.isEmpty() ? digest : digest + " " + String.join(" ", new TreeSet<>(others));
  }

  private static final String DIED = "died:";
  private static final String HUNG = "hung:";

  /**
   * The part of evidence that is against all contributions of an object together. Against a policy,
   * it is against what its author wrote: whatever it is for, proxies get it as it is.
   */
  public static String lost(
      ConfigObject object, PersistentMap<ResourceId, String> footprint, boolean isSilence) {
    List<String> all = new ArrayList<>();
    if (object.key().kind().equals(ExtensionPolicy.KIND)) {
      all.add(object.key().toString());
      addTo(all, object.body());
    } else {
      for (Map.Entry<ResourceId, String> entry : footprint) {
        // A host is a part of the table of all hosts, too, whichever form proxies get it in.
        if (entry.getKey().type() != ResourceType.VIRTUAL_HOST) {
          all.add(entry.getKey().toString());
          all.add(entry.getValue());
        }
      }
    }
    return (isSilence ? HUNG : DIED) + Digests.of(all);
  }

  private static void addTo(List<String> all, Value value) {
    if (value instanceof Mapping mapping) {
      all.add("{" + mapping.fields().size());
      new TreeMap<>(mapping.fields())
          .forEach(
              (name, field) -> {
                all.add(name);
                addTo(all, field);
              });
    } else if (value instanceof Sequence sequence) {
      all.add("[" + sequence.elements().size());
      sequence.elements().forEach(element -> addTo(all, element));
    } else if (value instanceof Scalar scalar) {
      all.add("=" + scalar.value());
    }
  }

  private static final String PROBED = "a scout accepted it, and does not serve it: ";

  /** The message of a scout that accepted something, and does not serve it as it should. */
  public static String probed(String message) {
    return PROBED + message;
  }

  /** Whether a scout accepted it, and does not serve it as it should. */
  public boolean isProbe() {
    return message.startsWith(PROBED);
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
