// SPDX-License-Identifier: Apache-2.0
/** The state in a real etcd. */
@NullMarked
package dev.holdfast.interop.etcd;

import org.jspecify.annotations.NullMarked;
