// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.filter;

import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.decode.Decoding;
import dev.holdfast.xds.resources.decode.TypedConfig;
import org.jspecify.annotations.Nullable;

/** One kind of HTTP filter: which messages configure it, who can run it, how it is decoded. */
interface HttpFilterType {

  /** The message that configures it in a listener. */
  String type();

  /** The message that configures it for some calls; the same one if there is no other. */
  default String overrideType() {
    return type();
  }

  /** Whether it can run where calls are made, or where they are served. */
  boolean runsOn(FilterSide side);

  /** Whether it must be the last of its chain. */
  default boolean terminal() {
    return false;
  }

  /** What it is to do; null after reporting a problem. */
  @Nullable FilterConfig decode(TypedConfig config, Decoding decoding, Problems problems);

  /** What it is to do for some calls; null after reporting a problem. */
  @Nullable FilterConfig decodeOverride(TypedConfig config, Decoding decoding, Problems problems);
}
