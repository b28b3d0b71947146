// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.tls;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.GeneralSecurityException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Something that is read from files: what was last read without a problem stays in use for as long
 * as nothing better can be read. Thread-safe.
 */
final class Watched<T> {
  private static final Logger LOG = System.getLogger(Watched.class.getName());

  private final Reader<T> reader;
  private final Executor executor;

  // Guarded by this.
  private @Nullable T good;
  private @Nullable CompletableFuture<T> reading;
  private boolean warned;

  /** Reads the files; exceptions say which of them is unusable, and why. */
  interface Reader<T> {
    T read() throws GeneralSecurityException;
  }

  Watched(Reader<T> reader, Executor executor) {
    this.reader = reader;
    this.executor = executor;
  }

  /** What is in use; read now if there is nothing so far. */
  synchronized CompletableFuture<T> current() {
    return good == null ? read() : CompletableFuture.completedFuture(good);
  }

  /** Reads the files; nobody waits for it. */
  void refresh() {
    CompletableFuture<T> unused = read();
  }

  /** Reads the files, if that is not being done already. */
  private synchronized CompletableFuture<T> read() {
    if (reading != null) {
      return reading;
    }
    CompletableFuture<T> result = new CompletableFuture<>();
    reading = result;
    executor.execute(() -> readInto(result));
    return result;
  }

  private void readInto(CompletableFuture<T> result) {
    try {
      result.complete(accept(reader.read()));
    } catch (GeneralSecurityException | RuntimeException e) {
      reject(e);
      result.completeExceptionally(e);
    }
  }

  /** What is in use from now on: the same object as before if its content is the same. */
  private synchronized T accept(T value) {
    reading = null;
    warned = false;
    T used = good == null || !good.equals(value) ? value : good;
    good = used;
    return used;
  }

  private synchronized void reject(Exception e) {
    reading = null;
    if (good != null && !warned) {
      warned = true;
      LOG.log(Level.WARNING, "TLS file is not used, the earlier one is: {0}", e.getMessage());
    }
  }
}
