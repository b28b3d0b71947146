// SPDX-License-Identifier: Apache-2.0
/**
 * Classes of proxies: which exist, which refuse what the others run, and the rollouts of classes
 * that have a selection of their own.
 */
@NullMarked
package dev.holdfast.controlplane.rollout.proxyclass;

import org.jspecify.annotations.NullMarked;
