// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceTable;
import dev.holdfast.controlplane.snapshot.ResourceType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One type on one stream: what was asked for, what the proxy has, and what is yet to be said.
 *
 * <p>What is to be said about a name is worked out when the channel may speak, from what is wanted
 * then: a proxy that reads slowly gets the newest, not all that was.
 */
final class Channel {
  private final ResourceType type;
  private final Session session;
  private final Subscription subscription = new Subscription();
  private final Holdings holdings = new Holdings();
  private final Agenda agenda = new Agenda();
  private final Wanted wanted;
  private final Comeback comeback;
  private final Deciding deciding;
  private @Nullable Push inFlight;
  private boolean heard;
  private boolean spoken;
  private boolean mending;

  private String acceptedVersion = "";
  private String sentVersion = "";
  private Rejections.@Nullable Rejected lastError;
  private List<String> lastErrorNames = List.of();

  Channel(ResourceType type, Session session) {
    this.type = type;
    this.session = session;
    this.wanted = new Wanted(session, type, subscription, holdings);
    this.comeback = new Comeback(session, type, subscription, holdings, agenda);
    this.deciding = new Deciding(session, type, subscription, holdings, agenda, wanted);
  }

  // What was asked for.

  /** A request came. */
  void heard() {
    heard = true;
  }

  /** Whether a request came before. */
  boolean hasHeard() {
    return heard;
  }

  /** Applies a change of the subscription. */
  void subscribed(Subscription.Change change) {
    change.added().forEach(agenda::force);
    change.dropped().forEach(this::forgetUnlessListed);
    if (change.all()) {
      agenda.addEverything();
    }
    if (change.notAll()) {
      List<String> gone = new ArrayList<>();
      holdings.running().forEach(resource -> gone.add(resource.name()));
      gone.forEach(this::forgetUnlessListed);
    }
  }

  private void forgetUnlessListed(String name) {
    Resource resource = session.view().get(type, name);
    if (resource == null ? !subscription.named(name) : !subscription.covers(resource)) {
      holdings.remove(name);
      agenda.forget(name);
      wanted.forget(name);
      if (inFlight != null) {
        inFlight.after = inFlight.after.without(name);
      }
    }
  }

  /** The proxy came back and says that it holds everything it asked for in this version. */
  void resume(String version) {
    spoken = true;
    acceptedVersion = version;
    comeback.with(version, canonical(wanted.table()));
  }

  /** The proxy came back and says what it holds, name by name. */
  void resume(Map<String, String> versions) {
    spoken = true;
    comeback.with(versions);
    holdings.run(canonical(holdings.running()));
  }

  /** The proxy asks again for all that it has. */
  void askedAgain() {
    List.copyOf(subscription.names()).forEach(this::resend);
  }

  /** Sends a resource once more although nothing about it changed. */
  void resend(String name) {
    if (subscription.named(name)) {
      agenda.force(name);
    }
  }

  /** What the proxy could not run may go again. */
  void retry(String name) {
    agenda.changed(name);
  }

  /** A resource became different. */
  void published(ResourceId id, @Nullable Resource before, @Nullable Resource after) {
    if (subscription.named(id.name())
        || (before != null && subscription.covers(before))
        || (after != null && subscription.covers(after))) {
      agenda.changed(id.name());
      if (after != null && session.rejections().contains(after)) {
        session.server().stats(type).countSuppressed();
      }
    }
  }

  // What to say next.

  /** Whether there may be something to say now; seldom, and quickly told. */
  boolean mayHaveNews() {
    return (inFlight == null || inFlight.silent) && (!agenda.isEmpty() || owesFirst());
  }

  /** Whoever asks for all is answered even if there is nothing. */
  private boolean owesFirst() {
    return !spoken && subscription.isWildcard();
  }

  /** What the next response has to hold; null if there is to be none now. */
  @Nullable Draft draft() {
    if (!mayHaveNews()) {
      return null;
    }
    if (agenda.takeEverything()) {
      agenda.addAll(wanted.names());
      holdings.running().forEach(resource -> agenda.add(resource.name()));
      agenda.addAll(holdings.foreign());
    }
    Draft all = new Draft();
    boolean owed = owesFirst();
    owed |= decide(List.copyOf(agenda.names()), all);
    if (inFlight != null && (owed || !all.isEmpty())) {
      // Nobody waits for the answer any more, nor looks at it: what it is about is said anew.
      SortedSet<String> unanswered = inFlight.names();
      unanswered.removeAll(agenda.names());
      agenda.addAll(unanswered);
      decide(unanswered, all);
    }
    Draft draft = Selecting.next(all, session, this);
    return draft.isEmpty() && !owed ? null : draft;
  }

  /** Works out what to say of some names; true if an answer is owed although there is nothing. */
  private boolean decide(Collection<String> names, Draft all) {
    boolean owed = false;
    for (String name : names) {
      Decision decision = deciding.on(name);
      if (decision instanceof Decision.Send send) {
        all.sends.put(name, send.resource());
      } else if (decision instanceof Decision.Remove) {
        all.removes.add(name);
      } else if (decision instanceof Decision.Missing missing) {
        all.missing.put(name, missing.reason());
      } else if (decision instanceof Decision.Nothing) {
        owed |= agenda.drop(name) && session.sendsFullState(type);
      }
    }
    return owed;
  }

  // What was said, and what was said of it.

  /** A response is on its way. */
  void sent(Draft draft, String nonce, String version, ResourceTable after, long now) {
    spoken = true;
    sentVersion = version;
    mending = agenda.isAnyTainted(draft.sends.keySet());
    draft.sends.keySet().forEach(agenda::settle);
    for (String name : draft.removes) {
      if (!draft.missing.containsKey(name)) {
        agenda.settle(name);
      }
    }
    draft.missing.keySet().forEach(agenda::settleMissing);
    inFlight =
        new Push(nonce, version, draft.sends, draft.removes, canonical(after), session.view(), now);
  }

  /** The same table as the one that is served, if they hold the same: shared by all streams. */
  private ResourceTable canonical(ResourceTable table) {
    ResourceTable listed = session.view().listed(type);
    return table.sameAs(listed) ? listed : table;
  }

  /** The answer has been out for so long that others no longer wait for it. */
  void fellSilent(Push push) {
    push.silent = true;
    agenda.doubt(push);
  }

  /** The proxy accepted; the result is what it ran before. */
  ResourceTable accepted(Push push) {
    agenda.trust(push);
    ResourceTable before = holdings.running();
    inFlight = null;
    acceptedVersion = push.version;
    push.changed.values().forEach(resource -> holdings.known(resource.name()));
    push.removed.forEach(holdings::known);
    holdings.run(push.after);
    if (type == ResourceType.EXTENSION) { // what they stood in for may go now
      push.changed.keySet().stream().filter(subscription::named).forEach(agenda::add);
    }
    return before;
  }

  /**
   * The proxy refused; the result is the resources to blame. Of clusters and listeners, the others
   * of the response were applied; of other types that is not known, and each is tried alone.
   */
  List<Resource> rejected(Push push, String message, Instant at) {
    inFlight = null;
    agenda.trust(push);
    SortedSet<String> names = new TreeSet<>(push.changed.keySet());
    lastError = new Rejections.Rejected(message, at, /* passing= */ false);
    lastErrorNames = List.copyOf(names);
    SortedSet<String> blamed =
        names.size() == 1
            ? names
            : type.isWildcard() ? NackText.blamed(names, message) : new TreeSet<>();
    boolean partly = !blamed.isEmpty() && type.isWildcard();
    List<Resource> culprits = new ArrayList<>();
    for (Resource resource : push.changed.values()) {
      if (blamed.contains(resource.name())) {
        culprits.add(resource);
        restore(resource.name());
      } else if (partly && !NackText.isCut(message)) {
        holdings.add(resource);
      } else {
        agenda.suspect(resource.name());
      }
    }
    for (String name : push.removed) {
      if (partly) {
        holdings.remove(name);
      } else {
        agenda.add(name);
      }
    }
    return culprits;
  }

  /** Some types keep what they refused, or a part of it; those get the last good one back. */
  private void restore(String name) {
    boolean kept =
        switch (type) {
          case CLUSTER, SECRET, EXTENSION -> true;
          case ENDPOINTS, LISTENER, ROUTES -> session.sendsFullState(type);
        };
    if (kept) {
      agenda.taint(name);
    } else {
      agenda.add(name);
    }
  }

  // What others ask.

  /**
   * Something that is shown and the proxy refused; null if there is nothing.
   *
   * @param excused what does not count
   */
  @Nullable Resource refusal(Predicate<Resource> excused) {
    return wanted.refusal(excused);
  }

  /**
   * Whether the proxy's answer on a cluster is known, or there is none to wait for. One who tries
   * something out and refuses a cluster is not sent what refers to it: it will be shown something
   * else.
   */
  boolean hasJudged(String name, @Nullable Resource newest) {
    if (inFlight != null && inFlight.removed.contains(name)) {
      return newest == null; // it is about to go, and has to come again first
    }
    return newest == null
        || holdings.contains(name)
        || (session.rejections().contains(newest) && !session.isOnTrial());
  }

  /** Whether something that was refused, and may have been kept all the same, is being replaced. */
  boolean isMending() {
    return (mending && inFlight != null && !inFlight.silent) || agenda.isAnyTainted(agenda.names());
  }

  /** Whether an answer has been out for so long that nobody waits for it any more. */
  boolean gaveUpWaiting() {
    return inFlight != null && inFlight.silent;
  }

  /** Whether the proxy may run something here that refers to a cluster. */
  boolean mayStillUse(String cluster) {
    if (agenda.hasEverything()) {
      return !holdings.isEmpty();
    }
    return agenda.names().stream().anyMatch(name -> holdings.refers(name, cluster))
        || wanted.deviating().stream().anyMatch(name -> holdings.refers(name, cluster))
        || (inFlight != null
            && inFlight.changed.values().stream()
                .anyMatch(
                    resource ->
                        resource.clusters().containsKey(cluster)
                            || holdings.refers(resource.name(), cluster)));
  }

  boolean isSuspect(String name) {
    return agenda.isSuspect(name);
  }

  Comeback comeback() {
    return comeback;
  }

  /** Whether the proxy has something under a name. */
  boolean has(String name) {
    return holdings.contains(name);
  }

  /** Whether nothing was ever accepted. */
  boolean isCold() {
    return holdings.isEmpty();
  }

  /** Whether nothing is to be said, and nothing that was said waits for its answer. */
  boolean isSettled() {
    return inFlight == null && agenda.isEmpty();
  }

  ResourceType type() {
    return type;
  }

  Subscription subscription() {
    return subscription;
  }

  /** What the proxy accepted. */
  ResourceTable running() {
    return holdings.running();
  }

  /** All that the proxy may have: what it accepted, and what it has not answered on. */
  List<Held> mayHold() {
    Held now = new Held(acceptedVersion, holdings.running(), inFlight);
    return inFlight == null
        ? List.of(now)
        : List.of(now, new Held(inFlight.version, inFlight.after, null));
  }

  @Nullable Push inFlight() {
    return inFlight;
  }

  String acceptedVersion() {
    return acceptedVersion;
  }

  String sentVersion() {
    return sentVersion;
  }

  Rejections.@Nullable Rejected lastError() {
    return lastError;
  }

  List<String> lastErrorNames() {
    return lastErrorNames;
  }
}
