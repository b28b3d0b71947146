// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened, for people.
 *
 * @param id given by the store, in the order of the entries, and never given again; 0 as long as
 *     the entry is not stored
 * @param at when
 * @param kind what
 * @param object the object that it happened to; null if it was to none
 * @param generation that of the object; 0 if it was to none
 * @param resource the resource that it was about; empty if it was about none
 * @param proxy the proxy that it was with; empty if it was with none
 * @param message more, fit to be shown; may be empty
 * @param took how long it took; null if that means nothing
 */
public record HistoryEntry(
    long id,
    Instant at,
    Kind kind,
    @Nullable ObjectKey object,
    long generation,
    String resource,
    String proxy,
    String message,
    @Nullable Duration took) {
  /**
   * What happened. Those that are listed are those of this version; a history may hold the words of
   * others.
   *
   * @param name the word that is stored
   */
  public record Kind(String name) {
    public static final Kind SERVER_STARTED = new Kind("SERVER_STARTED");
    public static final Kind SERVER_STOPPED = new Kind("SERVER_STOPPED");
    public static final Kind OBJECT_ADDED = new Kind("OBJECT_ADDED");
    public static final Kind OBJECT_CHANGED = new Kind("OBJECT_CHANGED");
    public static final Kind OBJECT_REMOVED = new Kind("OBJECT_REMOVED");
    public static final Kind PROGRAMMED = new Kind("PROGRAMMED");
    public static final Kind REJECTED = new Kind("REJECTED");
    public static final Kind RECOVERED = new Kind("RECOVERED");
    public static final Kind PROXY_CONNECTED = new Kind("PROXY_CONNECTED");
    public static final Kind PROXY_DISCONNECTED = new Kind("PROXY_DISCONNECTED");

    public Kind {
      if (name.isEmpty()) {
        throw new IllegalArgumentException("name: empty (expected: a word)");
      }
    }

    @Override
    public String toString() {
      return name;
    }
  }

  public HistoryEntry {
    requireNonNull(at, "at");
    requireNonNull(kind, "kind");
    requireNonNull(resource, "resource");
    requireNonNull(proxy, "proxy");
    requireNonNull(message, "message");
    if (id < 0) {
      throw new IllegalArgumentException("id: " + id + " (expected: from 0)");
    }
    if (generation < 0) {
      throw new IllegalArgumentException("generation: " + generation + " (expected: from 0)");
    }
  }

  /** A thing that happened, yet to be described and stored. */
  public static HistoryEntry of(Instant at, Kind kind) {
    return new HistoryEntry(0, at, kind, null, 0, "", "", "", null);
  }

  /** The same under an id. For stores. */
  public HistoryEntry withId(long newId) {
    return new HistoryEntry(newId, at, kind, object, generation, resource, proxy, message, took);
  }

  /** The same, about a generation of an object. */
  public HistoryEntry withObject(ObjectKey newObject, long newGeneration) {
    return new HistoryEntry(id, at, kind, newObject, newGeneration, resource, proxy, message, took);
  }

  /** The same, about a resource. */
  public HistoryEntry withResource(String newResource) {
    return new HistoryEntry(id, at, kind, object, generation, newResource, proxy, message, took);
  }

  /** The same, with a proxy. */
  public HistoryEntry withProxy(String newProxy) {
    return new HistoryEntry(id, at, kind, object, generation, resource, newProxy, message, took);
  }

  /** The same in other words. */
  public HistoryEntry withMessage(String newMessage) {
    return new HistoryEntry(id, at, kind, object, generation, resource, proxy, newMessage, took);
  }

  /** The same, with the time that it took. */
  public HistoryEntry withTook(Duration newTook) {
    return new HistoryEntry(id, at, kind, object, generation, resource, proxy, message, newTook);
  }
}
