// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.tls;

import dev.holdfast.base.tls.WatchedFiles;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Warns once when files became unusable, until they are usable again. */
final class KeptFileLog<T> implements WatchedFiles.Observer<T> {
  private static final Logger LOG = System.getLogger(KeptFileLog.class.getName());

  private volatile boolean warned;

  @Override
  public void used(T content, boolean changed) {
    warned = false;
  }

  @Override
  public void kept(T earlier, Exception problem) {
    if (!warned) {
      warned = true;
      LOG.log(Level.WARNING, "TLS file is not used, the earlier one is: {0}", problem.getMessage());
    }
  }
}
