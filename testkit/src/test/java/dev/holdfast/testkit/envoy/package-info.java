// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.testkit.envoy;

import org.jspecify.annotations.NullMarked;
