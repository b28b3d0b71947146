// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.filter;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long calls are delayed.
 *
 * @param fixed null if a header of the call says how long
 * @param share of the calls that are delayed
 */
public record FaultDelay(@Nullable Duration fixed, FaultShare share) {}
