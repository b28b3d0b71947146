// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.filter;

import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.decode.Decoding;
import dev.holdfast.xds.resources.decode.Text;
import dev.holdfast.xds.resources.decode.TypedConfig;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The registry of HTTP filters, by the messages that configure them (gRFC A39). */
public final class HttpFilterTypes {
  private static final List<HttpFilterType> ALL =
      List.of(new RouterType(), new FaultType(), new StatefulSessionType(), new RbacType());

  private static final Map<String, HttpFilterType> BY_TYPE = new LinkedHashMap<>();

  static {
    for (HttpFilterType filter : ALL) {
      BY_TYPE.put(filter.type(), filter);
      BY_TYPE.put(filter.overrideType(), filter);
    }
  }

  private HttpFilterTypes() {}

  /**
   * What a filter of a listener is to do; null after reporting a problem.
   *
   * @param supported one that {@link #supports} says yes to
   */
  public static @Nullable FilterConfig decode(
      TypedConfig supported, Decoding decoding, Problems problems) {
    HttpFilterType filter = BY_TYPE.get(supported.type());
    if (filter == null) {
      throw new IllegalArgumentException("type: " + supported.type() + " (expected: supported)");
    }
    if (!filter.type().equals(supported.type())) {
      problems.invalid(
          Text.quote(supported.type()) + " (expected: " + filter.type() + ", not an override)");
      return null;
    }
    return filter.decode(supported, decoding, problems);
  }

  /** Whether there is a filter for such a message on that side. */
  public static boolean supports(TypedConfig config, FilterSide side) {
    HttpFilterType filter = BY_TYPE.get(config.type());
    return filter != null && filter.runsOn(side);
  }

  /** Whether it is a filter that must be the last of its chain. */
  public static boolean isTerminal(TypedConfig config) {
    HttpFilterType filter = BY_TYPE.get(config.type());
    return filter != null && filter.terminal();
  }

  /**
   * What a filter is to do for some calls; null after reporting a problem, and for a filter that is
   * not known and may be ignored. Which side it is for is not asked, as routes may be for both.
   */
  public static @Nullable FilterConfig decodeOverride(
      TypedConfig config, boolean optional, Decoding decoding, Problems problems) {
    HttpFilterType filter = BY_TYPE.get(config.type());
    if (filter == null) {
      if (!optional) {
        problems.unsupported(
            Text.quote(config.type()) + " (expected: a supported filter, or is_optional)");
      }
      return null;
    }
    if (!filter.overrideType().equals(config.type())) {
      problems.invalid(
          Text.quote(config.type()) + " (expected: " + filter.overrideType() + " in an override)");
      return null;
    }
    return filter.decodeOverride(config, decoding, problems);
  }
}
