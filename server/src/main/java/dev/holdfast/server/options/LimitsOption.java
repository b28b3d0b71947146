// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import dev.holdfast.controlplane.ObjectLimits;
import dev.holdfast.controlplane.ads.wire.AdsLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the option for the limits of those who connect, and of authors. */
public final class LimitsOption {
  private static final String REQUEST_BYTES = "requestBytes";
  private static final String EVENT_STREAMS = "eventStreams";
  private static final String ERROR_TEXT = "errorText";
  private static final Pattern LIMIT = Pattern.compile("([a-zA-Z]+)=([0-9]{1,9})(Ki|Mi)?");

  /** What is read of an error text; a limit can only be lower. */
  private static final int LONGEST_ERROR = 8192;

  private LimitsOption() {}

  /**
   * @throws IllegalArgumentException with a message for the user
   */
  public static ServeLimits parse(String text) {
    ServeLimits limits = ServeLimits.defaults();
    for (String part : text.split(",", -1)) {
      Matcher limit = LIMIT.matcher(part.strip());
      if (!limit.matches() || !names().contains(limit.group(1))) {
        throw unexpected(part.strip());
      }
      limits = with(limits, limit.group(1), value(limit));
    }
    return limits;
  }

  private static ServeLimits with(ServeLimits limits, String name, int value) {
    boolean isOfObjects = ObjectLimits.NAMES.contains(name);
    return new ServeLimits(
        AdsLimits.NAMES.contains(name) ? limits.xds().with(name, value) : limits.xds(),
        isOfObjects ? limits.objects().with(name, value) : limits.objects(),
        name.equals(REQUEST_BYTES) ? value : limits.requestBytes(),
        name.equals(EVENT_STREAMS) ? value : limits.eventStreams());
  }

  private static int value(Matcher limit) {
    String unit = limit.group(3);
    long factor = unit == null ? 1 : unit.equals("Ki") ? 1L << 10 : 1L << 20;
    long value = Long.parseLong(limit.group(2)) * factor;
    int most = limit.group(1).equals(ERROR_TEXT) ? LONGEST_ERROR : Integer.MAX_VALUE;
    if (value < 1 || value > most) {
      throw new IllegalArgumentException(
          "'" + limit.group() + "' (expected: a number from 1 to " + most + ")");
    }
    return (int) value;
  }

  private static List<String> names() {
    List<String> names = new ArrayList<>(AdsLimits.NAMES);
    names.addAll(ObjectLimits.NAMES);
    names.add(REQUEST_BYTES);
    names.add(EVENT_STREAMS);
    return names;
  }

  private static IllegalArgumentException unexpected(String part) {
    return new IllegalArgumentException(
        "'"
            + part
            + "' (expected: limits such as names=20000,waitingBytes=32Mi; there are "
            + String.join(", ", names())
            + ")");
  }
}
