// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceTable;
import dev.holdfast.controlplane.snapshot.ResourceType;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Works out what a proxy holds that comes back with versions of it: what is shown, or was. */
final class ReconnectState {
  private final AdsStream stream;
  private final ResourceType type;
  private final Subscription subscription;
  private final HeldResources heldResources;
  private final PendingNames pending;
  private boolean happened;
  private boolean broughtMore;

  ReconnectState(
      AdsStream stream,
      ResourceType type,
      Subscription subscription,
      HeldResources heldResources,
      PendingNames pending) {
    this.stream = stream;
    this.type = type;
    this.subscription = subscription;
    this.heldResources = heldResources;
    this.pending = pending;
  }

  /**
   * It says that it holds everything it asked for in this version.
   *
   * @param wanted what it ought to hold
   */
  void with(String version, ResourceTable wanted) {
    happened = true;
    broughtMore |= !recogniseAll(version, wanted);
  }

  /** False if a version means nothing. */
  private boolean recogniseAll(String version, ResourceTable wanted) {
    HeldVersion held = stream.server().disconnected().of(stream, type, version);
    if (held != null) {
      heldResources.run(ofWhatItAsksFor(held.table()));
      if (subscription.isWildcard() || stream.node().isEnvoy()) {
        settle(wanted);
      } // an application may have let go of it since, and ask for it again, unlike Envoy
      held.doubtful().forEach(this::doubt);
      return true;
    }
    String digest = Nonces.digest(version);
    if (wanted.version().equals(digest)) {
      heldResources.run(wanted);
      if (mustHaveIt(version)) {
        settle(wanted);
      } // else it is sent it once more
      return true;
    }
    ResourceTable known = stream.server().disconnected().table(stream, type, digest);
    if (known != null) {
      heldResources.run(known);
      return true;
    }
    if (type == ResourceType.ROUTES) {
      subscription.names().stream().filter(this::mayKeep).forEach(heldResources::addForeign);
    }
    return false;
  }

  /**
   * Whether a proxy may go on with what it has under a name. One that can be told why there is
   * nothing waits for that, if it has nothing; if it has something, it is none the worse for it.
   */
  private boolean mayKeep(String name) {
    return !stream.canSayMissing(type) || stream.view().get(type, name) != null;
  }

  /**
   * Whether a proxy has all that a version was of. One that asks by name may have let go of some
   * and have asked for them again since it got that version; it goes on naming it. Of Envoy, that
   * is only to be feared for what is small, and not if it is known to have done nothing of the
   * kind.
   */
  private boolean mustHaveIt(String version) {
    return subscription.isWildcard()
        || (stream.node().isEnvoy() && !ConfirmedVersions.SMALL.contains(type))
        || stream.server().disconnected().certain().has(stream, type, version);
  }

  /** It asks for some names anew that it had let go of, and has one version for all of them. */
  private ResourceTable ofWhatItAsksFor(ResourceTable table) {
    if (subscription.isWildcard()) {
      return table;
    }
    ResourceTable[] left = {table};
    table.forEach(
        resource -> {
          if (!subscription.named(resource.name())) {
            left[0] = left[0].without(resource.name());
          }
        });
    return left[0];
  }

  /** What it holds as it ought to need not be sent. */
  private void settle(ResourceTable wanted) {
    ResourceTable held = heldResources.running();
    if (isWaitedFor()) {
      return;
    }
    if (held.sameAs(wanted)) {
      heldResources.run(wanted);
      pending.takeEverything();
      for (String name : List.copyOf(pending.names())) {
        if (wanted.get(name) != null || !stream.canSayMissing(type)) {
          pending.settle(name); // others wait to be told why there is none, on each stream anew
        }
      }
      return;
    }
    for (String name : List.copyOf(pending.names())) {
      Resource resource = wanted.get(name);
      if (resource != null && resource.equals(held.get(name))) {
        pending.unforce(name);
      }
    }
  }

  /** It was sent something under this name, and its answer was lost. */
  private void doubt(String name) {
    if (stream.view().get(type, name) == null && mayKeep(name)) {
      heldResources.addForeign(name);
    }
    if (subscription.isWildcard() || subscription.named(name)) {
      pending.force(name);
    }
  }

  /** It says what it holds, name by name. */
  void with(Map<String, String> versions) {
    happened = true;
    for (Map.Entry<String, String> held : versions.entrySet()) {
      String name = held.getKey();
      Resource newest = stream.view().get(type, name);
      boolean refused = newest != null && stream.rejections().contains(newest);
      if (newest != null && !refused && newest.version().equals(held.getValue())) {
        heldResources.add(newest);
        if (!isWaitedFor()) {
          pending.unforce(name);
        }
      } else {
        broughtMore |= !recognise(name, held.getValue());
        pending.add(name);
      }
    }
    for (HeldVersion held : stream.server().disconnected().of(stream, type)) {
      for (String name : held.doubtful()) {
        if (!held.took(name, versions.get(name))) {
          doubt(name);
        }
      }
    }
  }

  /** Whether the proxy came with something. */
  boolean happened() {
    return happened;
  }

  /** Whether the proxy came with something that is not what is shown. */
  boolean broughtMore() {
    return broughtMore;
  }

  /**
   * Envoy asks for clusters first, unless some of them wait for their endpoints: then it does not
   * ask for any before these have come, be it once more.
   */
  private boolean isWaitedFor() {
    return type == ResourceType.ENDPOINTS
        && stream.isAggregated()
        && stream.node().isEnvoy()
        && stream.typeStream(ResourceType.CLUSTER) == null;
  }

  /** False if a version of a name means nothing. */
  private boolean recognise(String name, String version) {
    @Nullable Resource known = stream.server().disconnected().resource(stream, type, name, version);
    if (known == null) {
      heldResources.addForeign(name);
      return false;
    }
    heldResources.add(known);
    return true;
  }
}
