/**
 * Single proxies that refuse what the rest of their class runs, and get everything but that. The
 * door is {@link dev.holdfast.controlplane.rollout.odd.OddProxies}.
 */
@NullMarked
package dev.holdfast.controlplane.rollout.odd;

import org.jspecify.annotations.NullMarked;
