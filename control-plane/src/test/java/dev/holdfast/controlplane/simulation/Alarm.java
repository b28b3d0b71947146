// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * Hears of bugs that the control plane survives, which it tells nobody but its log. Everything else
 * that is logged in the tests of this module goes nowhere.
 */
public final class Alarm implements SLF4JServiceProvider {
  /** Each run has a thread to itself. */
  private static final ThreadLocal<@Nullable Throwable> BUG = new ThreadLocal<>();

  private final IMarkerFactory markers = new BasicMarkerFactory();
  private final MDCAdapter context = new NOPMDCAdapter();

  /** Forgets what an earlier test of this thread made go wrong on purpose. */
  static void reset() {
    BUG.remove();
  }

  /** Throws what went wrong since it was last asked. */
  static void check() {
    Throwable bug = BUG.get();
    if (bug != null) {
      BUG.remove();
    }
    if (bug instanceof Broken broken) {
      throw broken;
    }
    if (bug != null) {
      throw new AssertionError("the control plane has a bug: " + bug, bug);
    }
  }

  @Override
  public ILoggerFactory getLoggerFactory() {
    return Ear::new;
  }

  @Override
  public IMarkerFactory getMarkerFactory() {
    return markers;
  }

  @Override
  public MDCAdapter getMDCAdapter() {
    return context;
  }

  @Override
  public String getRequestedApiVersion() {
    return "2.0.99";
  }

  @Override
  public void initialize() {}

  /** Hears errors that come with an exception. */
  private static final class Ear extends LegacyAbstractLogger {
    private static final long serialVersionUID = 1;

    Ear(String name) {
      this.name = name;
    }

    @Override
    protected void handleNormalizedLoggingCall(
        Level level,
        @Nullable Marker marker,
        String message,
        @Nullable Object @Nullable [] arguments,
        @Nullable Throwable cause) {
      if (cause != null && BUG.get() == null && !Faults.isOne(cause)) {
        BUG.set(cause);
      }
    }

    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
      return null;
    }

    @Override
    public boolean isErrorEnabled() {
      return true;
    }

    @Override
    public boolean isWarnEnabled() {
      return false;
    }

    @Override
    public boolean isInfoEnabled() {
      return false;
    }

    @Override
    public boolean isDebugEnabled() {
      return false;
    }

    @Override
    public boolean isTraceEnabled() {
      return false;
    }
  }
}
