// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.base.tls;

import java.security.GeneralSecurityException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What was last read from files without a problem: it stays in use for as long as nothing better
 * can be read. Thread-safe.
 */
public final class WatchedFiles<T> {
  private final Reader<T> reader;
  private final Executor executor;
  private final Observer<? super T> observer;

  // Guarded by this.
  private @Nullable T good;
  private @Nullable CompletableFuture<T> reading;

  /** Reads the files; exceptions say which of them is unusable, and why. */
  @FunctionalInterface
  public interface Reader<T> {
    T read() throws GeneralSecurityException;
  }

  /** Is told how each reading ended, on the thread of the reading. */
  public interface Observer<T> {
    /**
     * The files were read, and their content is in use.
     *
     * @param changed whether it differs from what was in use before
     */
    void used(T content, boolean changed);

    /** The files cannot be used; what was read before stays in use. */
    void kept(T earlier, Exception problem);
  }

  public WatchedFiles(Reader<T> reader, Executor executor, Observer<? super T> observer) {
    this.reader = reader;
    this.executor = executor;
    this.observer = observer;
  }

  /** What is in use; read now if there is nothing so far. */
  public synchronized CompletableFuture<T> current() {
    return good == null ? read() : CompletableFuture.completedFuture(good);
  }

  /** Reads the files; nobody waits for it. */
  public void refresh() {
    CompletableFuture<T> unused = read();
  }

  /** Reads the files, if that is not being done already. */
  private CompletableFuture<T> read() {
    CompletableFuture<T> result = new CompletableFuture<>();
    synchronized (this) {
      if (reading != null) {
        return reading;
      }
      reading = result;
    }
    executor.execute(() -> readInto(result));
    return result;
  }

  private void readInto(CompletableFuture<T> result) {
    T value;
    try {
      value = reader.read();
    } catch (GeneralSecurityException | RuntimeException e) {
      T earlier = end(null);
      if (earlier != null) {
        observer.kept(earlier, e);
      }
      result.completeExceptionally(e);
      return;
    }
    T before = end(value);
    T used = before != null && before.equals(value) ? before : value;
    observer.used(used, /* changed= */ used == value);
    result.complete(used);
  }

  /** Ends a reading; the same content as before stays the same object. Returns what was in use. */
  private synchronized @Nullable T end(@Nullable T value) {
    reading = null;
    T before = good;
    if (value != null && !value.equals(before)) {
      good = value;
    }
    return before;
  }
}
